// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.CountDownLatch;

// A thread that is met while it lives, and has ended then.
public class Ended {
    static Object kept = new int[3];
    static Object nothing;

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        Thread worker = new Thread(() -> {
            try {
                done.await();
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        }, "worker");
        worker.start();
        Ended made = new Ended();
        done.countDown(); // @alive
        worker.join();
        System.out.println(made == kept); // @ended
    }
}
