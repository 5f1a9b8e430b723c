// SPDX-License-Identifier: Apache-2.0

/** Says the same again and again, unless its code is replaced meanwhile. */
public final class Swap {
    static int price = 1;

    private Swap() {}

    static String word() {
        String text = "old text"; // @text
        return text; // @word
    }

    static int unused() {
        return price;
    }

    public static void main(String[] args) {
        for (int round = 0; round < 3; round++) {
            System.out.println(word()); // @call
        }
    }
}
