// SPDX-License-Identifier: Apache-2.0

/** Methods whose frames are popped and made to return. */
public final class Changes {
    static int entered;

    private Changes() {}

    public static void main(String[] args) {
        int number = number(1); // @call-number
        Integer boxed = boxed(2);
        String text = text();
        quiet(); // @call-quiet
        System.out.println(number + " " + boxed + " " + text + " " + entered); // @printed
    }

    static int number(int start) {
        entered++; // @number
        int result = start + 1;
        try {
            return inner(result); // @call-inner
        } finally {
            entered += 100;
        }
    }

    static int inner(int value) {
        int doubled = value * 2; // @inner
        return doubled;
    }

    static Integer boxed(int value) {
        return value + 1; // @boxed
    }

    static String text() {
        return "text"; // @text
    }

    static void quiet() {
        entered += 1000; // @quiet
    }
}
