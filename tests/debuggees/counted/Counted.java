// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A line that eight threads come to at the same time, many times each. */
public final class Counted {
    static final class Order {
        private final String name;

        Order(String name) {
            this.name = name;
        }

        String name() {
            return name;
        }
    }

    private final List<Order> orders = List.of(new Order("pear"), new Order("fig"));

    int times(int n) {
        int total = 0;
        for (int i = 0; i < n; i++) {
            total += i; // @hot
        }
        return total;
    }

    public static void main(String[] args) throws InterruptedException {
        int each = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
        Counted counted = new Counted();
        CountDownLatch begin = new CountDownLatch(1);
        List<Thread> all = new ArrayList<>();
        for (int number = 0; number < 8; number++) {
            Thread thread = new Thread(() -> {
                try {
                    begin.await();
                } catch (InterruptedException e) {
                    return;
                }
                counted.times(each);
            }, "worker-" + number);
            thread.start();
            all.add(thread);
        }
        begin.countDown();
        for (Thread thread : all) {
            thread.join();
        }
    }
}
