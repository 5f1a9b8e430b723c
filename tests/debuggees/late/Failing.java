// SPDX-License-Identifier: Apache-2.0

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;

/** Virtual threads, as many as the argument says, that throw until they are told to stop. */
public final class Failing {
    static volatile boolean goOn = true;
    static volatile boolean parks; // each thread, in each round
    static volatile int permits; // that each is to get
    static volatile int given;

    static final class Wrong extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Wrong(String message) {
            super(message);
        }
    }

    private Failing() {}

    public static void main(String[] args) throws Exception {
        ThreadFactory factory = virtualThreads();
        Thread[] all = new Thread[Integer.parseInt(args[0])];
        for (int i = 0; i < all.length; i++) {
            all[i] = factory.newThread(Failing::loop);
        }
        for (Thread each : all) {
            each.start();
        }
        System.out.println("failing");
        while (goOn) {
            if (given < permits) {
                for (Thread each : all) {
                    LockSupport.unpark(each);
                }
                given++;
            }
            Thread.sleep(1);
        }
        for (Thread each : all) {
            each.join();
        }
    }

    private static ThreadFactory virtualThreads() throws ReflectiveOperationException {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        Class<?> type = Class.forName("java.lang.Thread$Builder");
        return (ThreadFactory) type.getMethod("factory").invoke(builder);
    }

    private static void loop() {
        while (goOn) {
            try {
                fail("no");
            } catch (Wrong expected) {
                if (parks) {
                    LockSupport.park(); // for which it has got a permit before, or gets one
                } else {
                    pause();
                }
            }
        }
    }

    private static void fail(String text) {
        throw new Wrong(text); // @fail
    }

    static int twice(int number) {
        return 2 * number;
    }

    private static void pause() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
