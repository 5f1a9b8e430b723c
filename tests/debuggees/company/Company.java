// SPDX-License-Identifier: Apache-2.0
/** Adds, once in some milliseconds, until its input ends. */
public class Company {
    static int total;

    static int add(int amount) {
        int before = total;
        total = before + amount; // @add
        return total; // @added
    }

    public static void main(String[] args) throws Exception {
        while (System.in.available() == 0) {
            add(1);
            Thread.sleep(5); // @loop
        }
        System.out.println("read");
    }
}
