// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.CountDownLatch;

/** Two threads that each hold what the other wants. The main thread says so and waits for ever. */
public final class Deadlock {
    static final Object LEFT = new Object();
    static final Object RIGHT = new Object();

    private Deadlock() {}

    private static Thread locking(String name, Object first, Object second, CountDownLatch both) {
        Thread thread = new Thread(() -> {
            synchronized (first) {
                both.countDown();
                try {
                    both.await();
                } catch (InterruptedException e) {
                    return;
                }
                synchronized (second) { // @blocked
                    System.out.println("never printed");
                }
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch both = new CountDownLatch(2);
        Thread one = locking("one", LEFT, RIGHT, both);
        Thread two = locking("two", RIGHT, LEFT, both);
        while (one.getState() != Thread.State.BLOCKED || two.getState() != Thread.State.BLOCKED) {
            Thread.onSpinWait();
        }
        System.out.println("deadlocked"); // @deadlocked
        one.join();
    }
}
