// SPDX-License-Identifier: Apache-2.0

/** Its main method throws what nothing catches. */
public final class Uncaught {
    private Uncaught() {}

    static int half(int number) {
        if (number % 2 != 0) {
            throw new IllegalArgumentException("odd: " + number);
        }
        return number / 2;
    }

    public static void main(String[] args) {
        System.out.println("begins");
        int sum = 0;
        for (int number = 12; number > 0; number = half(number)) {
            sum += number;
        }
        System.out.println(sum);
    }
}
