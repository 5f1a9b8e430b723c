// SPDX-License-Identifier: Apache-2.0

/** Methods whose variables are of one branch only, so that behind it their slots are empty. */
public final class Scoped {
    static volatile int total;

    static void first(int pass) {
        if (pass % 2 == 0) {
            long twice = 2L * pass;
            total += (int) twice;
        }
        total++;
    }

    static void second(String text) {
        for (int each = 0; each < text.length(); each++) {
            char seen = text.charAt(each);
            total += seen;
        }
        double half = total / 2.0;
        total = (int) half;
    }

    static void third(Object of) {
        try {
            String text = of.toString();
            total += text.length();
        } catch (IllegalStateException error) {
            total -= error.hashCode();
        }
        total++;
    }

    public static void main(String[] args) throws InterruptedException {
        System.out.println("ready");
        for (int pass = 0; ; pass++) {
            first(pass);
            second("text");
            third(pass);
            Thread.sleep(2);
        }
    }
}
