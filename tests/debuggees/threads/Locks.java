// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Two threads that each hold the lock that the other wants; no monitor is in it. */
public final class Locks {
    static final ReentrantLock LEFT = new ReentrantLock();
    static final ReentrantLock RIGHT = new ReentrantLock(true);

    private Locks() {}

    private static Thread locking(String name, Lock first, Lock second, CountDownLatch both) {
        Thread thread = new Thread(() -> {
            first.lock();
            both.countDown();
            try {
                both.await();
            } catch (InterruptedException e) {
                return;
            }
            second.lock();
        }, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch both = new CountDownLatch(2);
        Thread one = locking("one", LEFT, RIGHT, both);
        locking("two", RIGHT, LEFT, both);
        while (!LEFT.hasQueuedThreads() || !RIGHT.hasQueuedThreads()) {
            Thread.onSpinWait();
        }
        System.out.println("deadlocked");
        one.join();
    }
}
