// SPDX-License-Identifier: Apache-2.0

/** Throws in each round, in several ways; with an argument on a virtual thread. */
public final class Thrower {
    static volatile long rounds;
    static volatile boolean goOn = true;

    static final class Wrong extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Wrong(String message) {
            super(message);
        }
    }

    static final class Raiser {
        private Raiser() {}

        static void raise(RuntimeException given) {
            throw given; // @raised
        }
    }

    static final Wrong PREPARED = new Wrong("prepared");

    private Thrower() {}

    public static void main(String[] args) throws Exception {
        System.out.println("throwing");
        if (args.length > 0) {
            ((Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, (Runnable) Thrower::loop))
                    .join();
        } else {
            loop();
        }
        System.out.println("let go");
    }

    static void loop() {
        while (goOn) {
            rounds++;
            for (int way = 0; way < 7; way++) {
                try {
                    act(way);
                } catch (RuntimeException expected) {
                    continue;
                }
            }
            ends();
        }
    }

    static void act(int way) {
        switch (way) {
            case 0:
                throw new Wrong("direct"); // @direct
            case 1:
                Wrong kept = new Wrong("kept"); // @kept
                kept.addSuppressed(new IllegalStateException("never thrown"));
                throw kept;
            case 2:
                throw made("made"); // @made
            case 3:
                Integer.parseInt("no number"); // @parse
                break;
            case 4:
                throw PREPARED; // @prepared
            case 5:
                Raiser.raise(new Wrong("raised"));
                break;
            default:
                Object nothing = rounds > 0 ? null : "";
                nothing.hashCode(); // @implicit
        }
    }

    static Wrong made(String message) {
        return new Wrong(message);
    }

    /** A thread that ends by an exception. */
    static void ends() {
        Thread ending =
                new Thread(
                        () -> {
                            throw new Wrong("uncaught"); // @uncaught
                        },
                        "ending");
        ending.setUncaughtExceptionHandler((thread, thrown) -> rounds++);
        ending.start();
        try {
            ending.join();
            Thread.sleep(1);
        } catch (InterruptedException e) {
            goOn = false;
        }
    }
}
