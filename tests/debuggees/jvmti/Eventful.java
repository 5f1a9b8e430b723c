// SPDX-License-Identifier: Apache-2.0
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;

/** Does, again and again, whatever JVM TI has an event for. */
public final class Eventful {
    static final Object LOCK = new Object();
    static volatile boolean isOver;
    static int turns;
    static Object made;

    /** Loaded by a loader of its own, compiled, and unloaded. */
    public static final class Unloaded {
        public static int work(int count) {
            int sum = 0;
            for (int number = 0; number < count; number++) {
                sum += number % 7;
            }
            return sum;
        }
    }

    /** Loaded in the first turn. */
    static final class Later {
        static int half(int number) {
            return number / 2; // @later
        }
    }

    private static int caught(int number) {
        try {
            throw new IllegalStateException("turn " + number); // @throws
        } catch (IllegalStateException expected) {
            return number; // @catches
        }
    }

    private static void threads() throws Exception {
        Runnable nothing = () -> made = new Object();
        Thread thread = new Thread(nothing, "short");
        thread.start();
        thread.join();
        if (Runtime.version().feature() >= 21) {
            Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
            ((Thread) start.invoke(null, nothing)).join();
        }
    }

    private static void monitors() throws InterruptedException {
        Thread waits = new Thread(() -> {
            synchronized (LOCK) {
                made = new Object();
            }
        }, "waits");
        synchronized (LOCK) {
            waits.start();
            while (waits.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
            LOCK.wait(1);
        }
        waits.join();
    }

    private static void unload() throws Exception {
        URL here = Eventful.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {here}, null)) {
            Method work = loader.loadClass("Eventful$Unloaded").getMethod("work", int.class);
            for (int round = 0; round < 300; round++) {
                work.invoke(null, 1_000);
            }
        }
        System.gc();
    }

    private static void exhaust() {
        try {
            made = new long[Integer.MAX_VALUE - 8];
        } catch (OutOfMemoryError expected) {
            made = null;
        }
    }

    private static void turn() throws Exception {
        turns = turns + 1; // @event-turn
        caught(turns); // @calls
        Later.half(turns); // @after
        made = Array.newInstance(String.class, 3);
        threads();
        monitors();
        unload();
        exhaust();
    }

    public static void main(String[] arguments) throws Exception {
        while (!isOver) {
            turn();
        }
    }
}
