// SPDX-License-Identifier: Apache-2.0
import java.net.URL;
import java.net.URLClassLoader;

/**
 * Threads die of an exception that was made in advance: it is thrown by a class that was loaded long
 * ago, and by one that is loaded in each round.
 */
public final class Loads {
    static final RuntimeException PREPARED = new IllegalStateException("prepared");
    static volatile boolean goOn = true;

    private Loads() {}

    /** Its class loader differs from that of the others. */
    public static final class New implements Runnable {
        private final RuntimeException given;

        public New(RuntimeException given) {
            this.given = given;
        }

        @Override
        public void run() {
            throw given; // @new
        }
    }

    static final class Old implements Runnable {
        @Override
        public void run() {
            throw PREPARED; // @old
        }
    }

    static final class Loader extends URLClassLoader {
        Loader() {
            super(new URL[] {Loads.class.getProtectionDomain().getCodeSource().getLocation()}, Loads.class.getClassLoader());
        }

        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            return name.equals("Loads$New") ? findClass(name) : super.loadClass(name);
        }
    }

    static void end(Runnable run) throws InterruptedException {
        Thread thread = new Thread(run);
        thread.start();
        thread.join();
    }

    public static void main(String[] args) throws Exception {
        Thread.setDefaultUncaughtExceptionHandler((where, what) -> Thread.yield());
        Old old = new Old();
        end(old);
        System.out.println("throwing");
        while (goOn) {
            end(old);
            try (Loader loader = new Loader()) {
                end((Runnable) loader.loadClass("Loads$New")
                        .getConstructor(RuntimeException.class)
                        .newInstance(PREPARED));
            }
        }
        System.out.println("let go");
    }
}
