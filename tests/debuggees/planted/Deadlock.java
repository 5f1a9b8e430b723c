// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.CountDownLatch;

/** Two transfers lock the same accounts in the opposite order. */
public final class Deadlock {
    static final Object SAVINGS = new Object();
    static final Object GIRO = new Object();
    static final CountDownLatch BOTH = new CountDownLatch(2);

    private Deadlock() {}

    static void transfer(Object from, Object to) {
        synchronized (from) {
            BOTH.countDown();
            try {
                BOTH.await();
            } catch (InterruptedException failure) {
                return;
            }
            synchronized (to) {
                System.out.println("moved");
            }
        }
    }

    public static void main(String[] args) {
        new Thread(() -> transfer(SAVINGS, GIRO), "saver").start();
        new Thread(() -> transfer(GIRO, SAVINGS), "spender").start();
    }
}
