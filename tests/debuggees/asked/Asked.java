// SPDX-License-Identifier: Apache-2.0

/** Does the same in each round: what can be asked of a debugger, of each kind once. */
public final class Asked {
    static int rounds;
    static final Object LOCK = new Object();

    private int own;

    interface Shape {
        int area(int side);
    }

    static final class Square implements Shape {
        @Override
        public int area(int side) {
            return side * side; // @area
        }
    }

    static final class Wrong extends RuntimeException {
        private static final long serialVersionUID = 1;

        Wrong(String message) {
            super(message);
        }
    }

    private Asked() {}

    public static void main(String[] args) throws Exception {
        while (rounds >= 0) {
            new Asked().round(new Square());
        }
    }

    private void round(Shape shape) throws Exception {
        rounds++; // @begin
        int doubled = twice(rounds); // @call
        own = doubled; // @write
        int seen = own; // @read
        int area = shape.area(3); // @shape
        String text = text(seen); // @text
        synchronized (LOCK) {
            own += text.length(); // @locked
        }
        caught();
        implicit();
        ends();
        int sum = 0;
        for (int i = 0; i < 4; i++) {
            sum += i; // @loop
        }
        done(sum + area); // @done
    }

    private int twice(int number) {
        int result = 2 * number; // @twice
        return result; // @result
    }

    private static String text(int number) {
        return "text " + (number > 0); // @texts
    }

    private static void caught() {
        try {
            throw new Wrong("wrong"); // @wrong
        } catch (Wrong expected) {
            done(1); // @handler
        }
    }

    private static void implicit() {
        Object nothing = rounds > 0 ? null : "";
        try {
            nothing.hashCode(); // @implicit
        } catch (NullPointerException expected) {
            done(2);
        }
    }

    /** A thread that ends by an exception. */
    private static void ends() throws InterruptedException {
        Thread ending =
                new Thread(
                        () -> {
                            throw new Wrong("uncaught"); // @uncaught
                        },
                        "ending");
        ending.setUncaughtExceptionHandler((thread, thrown) -> done(3));
        ending.start();
        ending.join();
    }

    static void done(int what) {
        rounds += what - what; // @inDone
    }
}
