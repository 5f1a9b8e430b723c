// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Keeps some of what it allocates, waits for a monitor, and ends with the exit code 3. */
public final class Ending {
    static final List<byte[]> KEPT = new ArrayList<>();
    static volatile Object last;

    private static void keep() {
        KEPT.add(new byte[10_000]);
    }

    private static void drop() {
        last = new long[1000];
    }

    private static void contend() throws InterruptedException {
        Object lock = new Object();
        CountDownLatch entered = new CountDownLatch(1);
        Thread owner = new Thread(() -> {
            synchronized (lock) {
                entered.countDown();
                pause();
            }
        });
        owner.start();
        entered.await();
        synchronized (lock) {
            owner.join();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException error) {
            throw new IllegalStateException(error);
        }
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println("begins");
        contend();
        for (int number = 0; number < 1000; number++) {
            keep();
            for (int turn = 0; turn < 50; turn++) {
                drop();
            }
        }
        System.exit(3);
    }
}
