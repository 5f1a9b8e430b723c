// SPDX-License-Identifier: Apache-2.0

/** Writes variables at the first instruction of a line, and behind it. */
public class AtTheStop {
    static int twice(int number) {
        return 2 * number;
    }

    public static void main(String[] args) {
        int count = 1;
        int other = 7;
        for (int round = 0; round < 3; round++) {
            count++; // @increment
            count = twice(count); // @call
            other = count; // @copy
            count += 300; // @much
        }
        System.out.println("count " + count + " other " + other);
    }
}
