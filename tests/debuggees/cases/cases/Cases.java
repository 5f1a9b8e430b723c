// SPDX-License-Identifier: Apache-2.0
package cases;

import java.util.List;

/** Code that is difficult for debuggers: what is called often, spread over lines, deep, or sly. */
public final class Cases {
    static int total;
    private final int width;

    private Cases(int width) {
        this.width = width;
    }

    /** Nothing of it can be asked without an exception. */
    static final class Sly extends RuntimeException {
        private static final long serialVersionUID = 1;

        Sly() {
            super("as it is");
        }

        @Override
        public String getMessage() {
            throw new IllegalStateException("asked for the message");
        }

        @Override
        public String toString() {
            throw new IllegalStateException("asked for a text");
        }
    }

    int fib(int n) {
        return n < 2 ? n : this.fib(n - 1) + this.fib(n - 2);
    }

    static int one(int i) {
        return i;
    }

    static int sum(int first, int second) {
        return first + second;
    }

    static int pass(int i) {
        int twice = sum(one(i), // @several
                one(i)); // @behind
        return twice; // @twice
    }

    static int never() {
        return total;
    }

    static int down(int depth) {
        if (depth > 0) {
            return down(depth - 1);
        }
        for (int i = 0; i < 20; i++) {
            total += i; // @deep
        }
        return total;
    }

    static void sly() {
        try {
            throw new Sly(); // @sly
        } catch (Sly caught) {
            total++;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Cases cases = new Cases(3);
        while (arguments.length > 0) {
            pass(1); // @again
        }
        Thread other = new Thread(() -> cases.fib(2), "other");
        for (int i = 0; i < 10; i++) { // @loop
            total += pass(i);
        }
        for (int i = 0; i < 2000; i++) { // @many
            pass(i);
        }
        down(0); // @shallow
        down(500); // @deeper
        total = cases.fib(15); // @fib
        List.of("a", "b").forEach(each -> total += each.length()); // @each
        sly(); // @call-sly
        other.start();
        other.join();
        System.out.println(cases.width + " " + total); // @end
    }
}
