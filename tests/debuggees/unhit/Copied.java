// SPDX-License-Identifier: Apache-2.0

import java.net.URL;
import java.net.URLClassLoader;

/**
 * A line that the compiler copies: it runs behind the block, at its returns and its exceptions. And one of a class that
 * three loaders have, one after the other.
 */
public final class Copied {
    static final int TIMES = 500;
    static long sum;

    static int copied(int i) {
        try {
            switch (i % 3) {
                case 0:
                    return 1;
                case 1:
                    throw new IllegalStateException();
                default:
                    break;
            }
        } catch (IllegalStateException e) {
            sum--;
        } finally {
            sum += i; // @copied
        }
        return 2;
    }

    static void work() {
        for (int i = 0; i < TIMES; i++) {
            copied(i);
        }
    }

    public static final class Part implements Runnable {
        private static int passed;

        @Override
        public void run() {
            for (int i = 0; i < TIMES; i++) {
                passed++; // @part
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(Copied::work);
            threads[i].start();
        }
        for (Thread each : threads) {
            each.join();
        }
        URL[] here = {Copied.class.getProtectionDomain().getCodeSource().getLocation()};
        for (int i = 0; i < 3; i++) {
            ClassLoader loader = new URLClassLoader(here, ClassLoader.getPlatformClassLoader());
            Object part = loader.loadClass("Copied$Part").getDeclaredConstructor().newInstance();
            ((Runnable) part).run();
        }
    }
}
