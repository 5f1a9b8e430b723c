// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** As many threads as asked for, all at work at the same time; each passes the same line once. */
public final class ManyThreads {
    private static final AtomicInteger DONE = new AtomicInteger();

    private ManyThreads() {}

    public static void main(String[] args) throws InterruptedException {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 8;
        CountDownLatch started = new CountDownLatch(count);
        CountDownLatch go = new CountDownLatch(1);
        Thread[] workers = new Thread[count];
        for (int i = 0; i < count; i++) {
            int number = i;
            workers[i] = new Thread(() -> work(number, started, go), "worker-" + i);
            workers[i].start();
        }
        started.await();
        System.out.println("started " + count); // @all-started
        go.countDown();
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println("done " + DONE.get()); // @done
    }

    private static void work(int number, CountDownLatch started, CountDownLatch go) {
        started.countDown();
        try {
            go.await();
        } catch (InterruptedException e) {
            return; // @interrupted
        }
        int square = number * number;
        DONE.incrementAndGet(); // @work
    }
}
