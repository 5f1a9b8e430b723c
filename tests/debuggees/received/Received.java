// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.CountDownLatch;

/** A method of an interface that some classes inherit from one that is not of the interface. */
public final class Received {
    interface Priced {
        int price();
    }

    static class Base {
        private int calls;

        public int price() {
            return ++calls; // @price
        }
    }

    static final class Book extends Base implements Priced {}

    static final class Pen extends Base {}

    static final class Cup extends Base implements Priced {}

    private static int priced(int times) {
        Base[] each = {new Book(), new Pen(), new Cup()};
        int sum = 0; // @priced
        for (int i = 0; i < times; i++) {
            for (Base one : each) {
                sum += one.price();
            }
        }
        return sum;
    }

    public static void main(String[] args) throws InterruptedException {
        System.out.println(priced(1));
        int times = args.length > 0 ? Integer.parseInt(args[0]) : 100; // @begin
        CountDownLatch begin = new CountDownLatch(1);
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                try {
                    begin.await();
                } catch (InterruptedException e) {
                    return;
                }
                priced(times);
            });
            threads[i].start();
        }
        begin.countDown();
        for (Thread each : threads) {
            each.join();
        }
        System.out.println("done"); // @done
    }
}
