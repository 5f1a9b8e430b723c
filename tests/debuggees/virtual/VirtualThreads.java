// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Virtual threads that meet, do a little arithmetic on a line of their own, and park. */
public final class VirtualThreads {
    private static volatile CountDownLatch met;

    private VirtualThreads() {}

    public static void main(String[] args) throws InterruptedException {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        met = new CountDownLatch(count);
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            threads.add(Thread.ofVirtual().name("virtual-" + i).start(() -> work(number, go)));
        }
        met.await();
        go.countDown(); // @go
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done " + count); // @done
    }

    private static void work(int number, CountDownLatch go) {
        met.countDown();
        try {
            go.await();
        } catch (InterruptedException e) {
            return;
        }
        int doubled = number * 2; // @first
        int tripled = number * 3; // @second
        String text = doubled + "/" + tripled; // @third
        Thread.yield();
        consume(text); // @consume
    }

    private static void consume(String text) {
        if (text.isEmpty()) { // @inside
            throw new IllegalStateException();
        }
    }
}
