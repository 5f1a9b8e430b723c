// SPDX-License-Identifier: Apache-2.0

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Methods that a careless evaluation would hang in. */
final class Safety {
    private static final Object LOCK = new Object();
    private static final ExecutorService OTHERS = Executors.newFixedThreadPool(1, Safety::daemon);
    private static volatile boolean go;
    private static int turns;

    private Safety() {}

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "other");
        thread.setDaemon(true);
        return thread;
    }

    static int spin() {
        while (true) {
            turns++;
        }
    }

    static int stubborn() {
        System.out.println("stubborn");
        while (true) {
            try {
                Thread.sleep(60_000);
            } catch (InterruptedException again) {
                turns++;
            }
        }
    }

    /** Initialised by native code. */
    static final class Late {
        static int value = inside(1);

        static {
            value++; // @initializer
        }
    }

    static String byOther() throws Exception {
        return OTHERS.submit(() -> Thread.currentThread().getName()).get();
    }

    static String locked() {
        synchronized (LOCK) {
            return "locked";
        }
    }

    static int inside(int number) {
        int more = number + 1; // @inside
        return more;
    }

    static void fail(int depth) {
        if (depth > 0) {
            fail(depth - 1);
        }
        try {
            Object nothing = null;
            nothing.hashCode();
        } catch (NullPointerException wrong) {
            throw new IllegalStateException("told", wrong);
        }
    }

    private static void hold(CountDownLatch held) {
        synchronized (LOCK) {
            held.countDown();
            while (!go) {
                Thread.onSpinWait();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        byOther();
        CountDownLatch held = new CountDownLatch(1);
        Thread holder = new Thread(() -> hold(held), "holder");
        holder.setDaemon(true);
        holder.start();
        held.await();
        int number = 5;
        System.out.println(number); // @here
        System.out.println(inside(number));
        Class.forName("Safety$Late");
    }
}
