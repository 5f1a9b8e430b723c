// SPDX-License-Identifier: Apache-2.0

import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

/**
 * A class that one loader after the other has; each is left to the garbage collector when it has run, or
 * all stay: as many as an argument says.
 */
public final class Unloaded {
    static final int LOADERS = 4;
    static final long MOST_NS = 20_000_000_000L;

    public static final class Part implements Runnable {
        private static int passed;

        @Override
        public void run() {
            for (int i = 0; i < 3; i++) {
                passed += i; // @part
            }
            end(); // @last
        }

        private static void end() {}
    }

    private static WeakReference<Class<?>> run(URL[] here) throws Exception {
        try (URLClassLoader loader = new URLClassLoader(here, ClassLoader.getPlatformClassLoader())) {
            Class<?> part = loader.loadClass("Unloaded$Part");
            ((Runnable) part.getDeclaredConstructor().newInstance()).run();
            return new WeakReference<>(part);
        }
    }

    private static boolean isUnloaded(WeakReference<Class<?>> type) throws InterruptedException {
        long end = System.nanoTime() + MOST_NS;
        while (type.get() != null && System.nanoTime() < end) {
            System.gc();
            Thread.sleep(10);
        }
        return type.get() == null;
    }

    public static void main(String[] args) throws Exception {
        URL[] here = {Unloaded.class.getProtectionDomain().getCodeSource().getLocation()};
        if (args.length > 0) {
            List<Class<?>> kept = new ArrayList<>();
            for (int i = Integer.parseInt(args[0]); i > 0; i--) {
                kept.add(run(here).get());
            }
            System.out.println(kept.size() + " loaders"); // @kept
            return;
        }
        for (int i = 0; i < LOADERS; i++) {
            WeakReference<Class<?>> type = run(here);
            boolean unloaded = isUnloaded(type);
            System.out.println(i + " " + unloaded); // @between
        }
    }
}
