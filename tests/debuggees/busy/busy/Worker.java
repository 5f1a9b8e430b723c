// SPDX-License-Identifier: Apache-2.0
package busy;

import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.zip.CRC32;

/** What a worker has in common: it goes on until the end and remembers its first mistake. */
abstract class Worker implements Runnable {
    private String mistake;

    abstract String name();

    /** One round; false when something came out wrong. */
    abstract boolean round(long number) throws Exception;

    @Override
    public final void run() {
        for (long number = 1; !Busy.over && mistake == null; ++number) {
            try {
                if (!round(number)) {
                    mistake = "round " + number;
                }
            } catch (Throwable thrown) {
                mistake = "round " + number + ": " + thrown;
            }
            Busy.progress++;
        }
    }

    final boolean isRight() {
        if (mistake != null) {
            System.out.println(name() + ": " + mistake);
        }
        return mistake == null;
    }

    /** Recursion, loops, arrays. */
    static final class Summing extends Worker {
        private final int number;
        private long watched;

        Summing(int number) {
            this.number = number;
        }

        @Override
        String name() {
            return "summing-" + number;
        }

        @Override
        boolean round(long round) {
            int[] squares = new int[100];
            for (int index = 0; index < squares.length; ++index) {
                squares[index] = square(index);
            }
            long sum = 0;
            for (int square : squares) {
                sum += square;
            }
            watched = sum; // @watched
            return sum == 328_350 && fibonacci(12) == 144 && watched == sum;
        }

        private static int square(int value) {
            return value * value;
        }

        private static int fibonacci(int index) {
            return index < 2 ? index : fibonacci(index - 1) + fibonacci(index - 2);
        }
    }

    /** A lock that others want too. */
    static final class Booking extends Worker {
        private final Ledger ledger;

        Booking(Ledger ledger) {
            this.ledger = ledger;
        }

        @Override
        String name() {
            return "booking";
        }

        @Override
        boolean round(long round) throws InterruptedException {
            ledger.book(round);
            return true;
        }
    }

    /** Exceptions through several frames, caught and finally. */
    static final class Throwing extends Worker {
        @Override
        String name() {
            return "throwing";
        }

        @Override
        boolean round(long round) {
            int finals = 0;
            try {
                deeper(3);
                return false;
            } catch (IllegalStateException expected) {
                finals += expected.getMessage().length();
            } finally {
                finals += 10;
            }
            return finals == 13;
        }

        private static void deeper(int levels) {
            try {
                if (levels == 0) {
                    throw new IllegalStateException("bad"); // @thrown
                }
                deeper(levels - 1);
            } finally {
                Busy.progress++;
            }
        }
    }

    /** Classes that are loaded, used, and left to the garbage collector. */
    static final class Loading extends Worker {
        @Override
        String name() {
            return "loading";
        }

        @Override
        boolean round(long round) throws Exception {
            byte[] garbage = new byte[200_000];
            garbage[0] = (byte) round;
            Class<?> loaded = new Fresh().loadClass("busy.Passenger");
            Object passenger = loaded.getConstructor().newInstance();
            if (round % 50 == 0) {
                System.gc();
            }
            return passenger.hashCode() == 7 && loaded.getClassLoader() instanceof Fresh;
        }

        private static final class Fresh extends ClassLoader {
            @Override
            public Class<?> loadClass(String name) throws ClassNotFoundException {
                if (!name.equals("busy.Passenger")) {
                    return super.loadClass(name);
                }
                try (InputStream file = Busy.class.getResourceAsStream("Passenger.class")) {
                    byte[] bytes = file.readAllBytes();
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (java.io.IOException error) {
                    throw new ClassNotFoundException(name, error);
                }
            }
        }
    }

    /** Threads that begin and end; virtual ones where there are some. */
    static final class Starting extends Worker {
        private final Method virtual = virtualStart();
        private long sum;

        private static Method virtualStart() {
            try {
                return Thread.class.getMethod("startVirtualThread", Runnable.class);
            } catch (NoSuchMethodException old) {
                return null;
            }
        }

        @Override
        String name() {
            return "starting";
        }

        @Override
        boolean round(long round) throws Exception {
            Thread[] threads = new Thread[4];
            long before = sum;
            for (int index = 0; index < threads.length; ++index) {
                Runnable body = this::add;
                if (virtual != null && index % 2 == 0) {
                    threads[index] = (Thread) virtual.invoke(null, body);
                } else {
                    threads[index] = new Thread(body, "short-" + index);
                    threads[index].start();
                }
            }
            for (Thread thread : threads) {
                thread.join();
            }
            return sum == before + threads.length;
        }

        private void add() {
            CRC32 work = new CRC32();
            work.update(new byte[64]);
            Thread.yield();
            synchronized (this) {
                sum++;
            }
        }
    }
}
