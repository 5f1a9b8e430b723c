// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/** One thread holds a monitor and wants a lock that the other holds, which wants the monitor. */
public final class MixedDeadlock {
    static final ReentrantLock LOCK = new ReentrantLock();

    private MixedDeadlock() {}

    private static void both(CountDownLatch latch) {
        latch.countDown();
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void locksMonitorFirst(CountDownLatch latch) {
        synchronized (MixedDeadlock.class) {
            both(latch);
            LOCK.lock();
        }
    }

    private static void locksLockFirst(CountDownLatch latch) {
        LOCK.lock();
        both(latch);
        synchronized (MixedDeadlock.class) {
            System.out.println("never printed");
        }
    }

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(2);
        Thread one = new Thread(() -> locksMonitorFirst(latch), "one");
        Thread two = new Thread(() -> locksLockFirst(latch), "two");
        Object bell = new Object();
        Thread three = new Thread(() -> {
            synchronized (bell) {
                try {
                    bell.wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }, "three");
        for (Thread each : new Thread[] {one, two, three}) {
            each.setDaemon(true);
            each.start();
        }
        while (!LOCK.hasQueuedThreads()
                || two.getState() != Thread.State.BLOCKED
                || three.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        System.out.println("deadlocked");
        one.join(); // @mixed
    }
}
