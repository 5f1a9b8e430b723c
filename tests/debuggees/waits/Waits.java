// SPDX-License-Identifier: Apache-2.0

/** Threads that wait for each other for ever: for monitors, and for the initialization of classes. */
public final class Waits {
    static final Object BACK = new Object();
    static final Object NOTIFIED = new Object();

    static void pause(int milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException ignored) {
            Thread.currentThread().interrupt();
        }
    }

    /** Is initialized by "east", and needs West. */
    static final class East {
        static {
            pause(300);
            West.touch();
        }

        static void touch() {}
    }

    static final class West {
        static int touched;

        static {
            pause(300);
            East.touch();
        }

        static void touch() {
            touched++;
        }
    }

    /** Needs a class below it: the one of the two that waits has no code of its own on its stack. */
    static class Above {
        static Above made;

        static {
            pause(600);
            made = new Below();
        }
    }

    static final class Below extends Above {
        static void touch() {}
    }

    private static void start(String name, Runnable body) {
        new Thread(body, name).start();
    }

    public static void main(String[] arguments) throws Exception {
        start("left", () -> {
            synchronized (Waits.class) {
                pause(300);
                synchronized (BACK) {
                    pause(1);
                }
            }
        });
        start("right", () -> {
            synchronized (BACK) {
                pause(300);
                synchronized (Waits.class) {
                    pause(1);
                }
            }
        });
        start("east", () -> East.touch());
        start("west", () -> West.touch());
        start("third", () -> {
            pause(600);
            West.touched = 1;
        });
        start("above", () -> Above.made = null);
        start("below", () -> {
            pause(300);
            Below.touch();
        });
        start("notified", () -> {
            synchronized (NOTIFIED) {
                try {
                    NOTIFIED.wait();
                } catch (InterruptedException ignored) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        System.out.println("pid " + ProcessHandle.current().pid());
        Thread.sleep(Long.MAX_VALUE);
    }
}
