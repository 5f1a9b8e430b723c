// SPDX-License-Identifier: Apache-2.0
//
// Known hot spots. The argument says what is done: "platform" and "virtual" work in a thread of that
// kind, four fifths of it in hot(); "waiting" has threads that wait; "unloading" works in classes
// that are loaded and dropped all the time; "done" ends after a second of work.
import java.io.InputStream;
import java.lang.reflect.Method;

public class Profiled {
    public static volatile double sink;
    static final Object LOCK = new Object();

    public static double hot(int n) {
        double sum = 0;
        for (int i = 1; i < n; i++) {
            sum += Math.sqrt(i) / (sum + i);
        }
        return sum;
    }

    static double warm(int n) {
        double sum = 0;
        for (int i = 1; i < n; i++) {
            sum += Math.sqrt(i) / (sum + i);
        }
        return sum;
    }

    static void work(long nanoseconds) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < nanoseconds) {
            sink = hot(80_000) + warm(20_000);
        }
    }

    static void idle() throws InterruptedException {
        synchronized (LOCK) {
            LOCK.wait();
        }
    }

    /** Works in a class of its own loader. */
    public static class Dropped implements Runnable {
        public void run() {
            sink = hot(2_000);
        }
    }

    static class Loader extends ClassLoader {
        Loader() {
            super(Profiled.class.getClassLoader());
        }

        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("Profiled$Dropped")) {
                return super.loadClass(name, resolve);
            }
            try (InputStream in = Profiled.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException error) {
                throw new ClassNotFoundException(name, error);
            }
        }
    }

    static void unload() {
        try {
            for (int i = 1;; i++) {
                Class<?> type = new Loader().loadClass("Profiled$Dropped");
                ((Runnable) type.getDeclaredConstructor().newInstance()).run();
                if (i % 500 == 0) {
                    System.gc();
                }
            }
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException(error);
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println("ready");
        String what = args[0];
        if (what.equals("done")) {
            work(1_000_000_000L);
        } else if (what.equals("virtual")) {
            Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
            start.invoke(null, (Runnable) () -> work(Long.MAX_VALUE));
            idle();
        } else if (what.equals("unloading")) {
            for (int i = 0; i < 3; i++) {
                new Thread(Profiled::unload, "unloader").start();
            }
        } else {
            new Thread(() -> work(Long.MAX_VALUE), "worker").start();
            if (what.equals("waiting")) {
                idle();
            }
        }
    }
}
