// SPDX-License-Identifier: Apache-2.0
package endless;

import java.io.InputStream;

/** Runs until `stop` is set, and counts; for debuggers that attach and disconnect. */
public class Endless {
    static volatile long turns;
    static volatile long loads;
    static volatile long writes;
    static volatile boolean writing;
    static volatile boolean recursing;
    static volatile boolean stop;
    static int hot;
    static final Object lock = new Object();

    /** Loaded again and again, each time by another loader. */
    static class Reloaded {
        static int number = 1;
    }

    /** Redefined by the tests. */
    static class Changing {
        static String version() {
            return "version-1";
        }
    }

    static class ReloadedLoader extends ClassLoader {
        private final byte[] code;

        ReloadedLoader(byte[] code) {
            super(Endless.class.getClassLoader());
            this.code = code;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.endsWith("$Reloaded") ? defineClass(name, code, 0, code.length) : super.loadClass(name, resolve);
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

    static void callTurn() {
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

    static void load(byte[] code) {
        while (!stop) {
            try {
                Class.forName("endless.Endless$Reloaded", true, new ReloadedLoader(code));
            } catch (ClassNotFoundException impossible) {
                throw new IllegalStateException(impossible);
            }
            loads++;
            rest();
        }
    }

    /** Many events in a short time, while `writing` is set. */
    static void write() {
        while (!stop) {
            if (writing) {
                hot++;
            } else {
                rest();
            }
            writes++;
        }
    }

    static int recurse(int steps) {
        int more = steps == 0 ? 0 : recurse(steps - 1);
        return more + 1;
    }

    /** Calls and returns all the time, while `recursing` is set. */
    static void callRecursively() {
        while (!stop) {
            if (recursing) {
                hot = recurse(5);
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
        try (InputStream stream = Endless.class.getResourceAsStream("Endless$Reloaded.class")) {
            code = stream.readAllBytes();
        }
        Thread[] threads = {
            start("caller", Endless::callTurn), start("loader", () -> load(code)), start("writer", Endless::write),
            start("recursive", Endless::callRecursively),
        };
        System.out.println("running"); // @running
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("stopped");
    }
}
