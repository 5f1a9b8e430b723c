// SPDX-License-Identifier: Apache-2.0
package throwing;

import java.util.concurrent.atomic.AtomicLong;

/** Several threads that throw all the time, until somebody sets `enough`. */
public final class Storm {
    static volatile boolean enough;
    static final AtomicLong CAUGHT = new AtomicLong();

    private Storm() {}

    static RuntimeException made(int round) {
        return new IllegalArgumentException("round " + round);
    }

    static void one(int round) {
        Object nothing = round < 0 ? "" : null;
        switch (round % 4) {
            case 0:
                throw new RuntimeException();
            case 1:
                throw made(round);
            case 2:
                nothing.hashCode();
                break;
            default:
                Integer.parseInt("x");
        }
    }

    static void storm() {
        for (int round = 0; !enough; round++) {
            try {
                synchronized (new Object()) {
                    one(round & 0xffff);
                }
            } catch (RuntimeException e) {
                CAUGHT.incrementAndGet();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(Storm::storm);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join(); // @joining
        }
        System.out.println("done, " + (CAUGHT.get() > 0));
    }
}
