// SPDX-License-Identifier: Apache-2.0
package endless;

import java.io.InputStream;

/** Runs until it is told to stop, and counts; for debuggers that come and vanish. */
public class Endless {
    static volatile long turns;
    static volatile long storms;
    static volatile long blows;
    static volatile boolean flood;
    static volatile boolean climbing;
    static volatile boolean stop;
    static int hot;
    static final Object lock = new Object();

    /** Loaded again and again, each time by another loader. */
    static class Seed {
        static int number = 1;
    }

    /** Redefined by the tests. */
    static class Changing {
        static String version() {
            return "version-1";
        }
    }

    static class Sower extends ClassLoader {
        private final byte[] code;

        Sower(byte[] code) {
            super(Endless.class.getClassLoader());
            this.code = code;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.endsWith("$Seed") ? defineClass(name, code, 0, code.length) : super.loadClass(name, resolve);
        }
    }

    static int turn(int number) {
        int next = number + 1; // @turn
        next = inner(next); // @call
        return next; // @turned
    }

    static int inner(int number) {
        int twice = 2 * number; // @inner
        return twice - number;
    }

    static void grind() {
        int number = 0;
        while (!stop) {
            number = turn(number);
            Changing.version();
            synchronized (lock) {
                turns++;
            }
            rest();
        }
    }

    static void storm(byte[] code) {
        while (!stop) {
            try {
                Class.forName("endless.Endless$Seed", true, new Sower(code));
            } catch (ClassNotFoundException impossible) {
                throw new IllegalStateException(impossible);
            }
            storms++;
            rest();
        }
    }

    /** Many events in a short time, while `flood` is set. */
    static void blow() {
        while (!stop) {
            if (flood) {
                hot++;
            } else {
                rest();
            }
            blows++;
        }
    }

    static int climb(int steps) {
        int more = steps == 0 ? 0 : climb(steps - 1);
        return more + 1;
    }

    /** Calls and returns all the time, while `climbing` is set. */
    static void climbUp() {
        while (!stop) {
            if (climbing) {
                hot = climb(5);
            } else {
                rest();
            }
        }
    }

    static int invoked(int number) {
        for (int i = 0; i < number; i++) {
            rest(); // @invoked
        }
        return number;
    }

    static void rest() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    static Thread start(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.start();
        return thread;
    }

    public static void main(String[] args) throws Exception {
        byte[] code;
        try (InputStream stream = Endless.class.getResourceAsStream("Endless$Seed.class")) {
            code = stream.readAllBytes();
        }
        Thread[] threads = {
            start("grinder", Endless::grind), start("storm", () -> storm(code)), start("blower", Endless::blow),
            start("climber", Endless::climbUp),
        };
        System.out.println("running"); // @running
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("stopped");
    }
}
