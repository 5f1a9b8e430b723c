// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Locations whose conditions the program checks itself. */
public final class Probed {
    static final class Order {
        private final int number;
        private final String name;
        protected double total;
        private static int made;

        Order(int number, String name) {
            this.number = number;
            this.name = name;
            this.total = number * 1.5;
            made++;
        }

        private boolean isOdd() {
            return number % 2 == 1; // @odd
        }

        String name() {
            return name;
        }

        static int made() {
            return made;
        }
    }

    private int count;
    private static long sum;
    private final List<Order> orders = new ArrayList<>();
    private Object last;

    private int look(int i, long wide, double real, float small, char letter, boolean even, String text, int[] numbers) {
        byte tiny = (byte) i;
        short middle = (short) (i * 1000);
        Order order = i % 5 == 4 ? null : new Order(i, text);
        Integer boxed = i;
        Object any = even ? text : (Object) boxed;
        count++;
        sum += wide;
        if (order != null) {
            orders.add(order);
        }
        last = any;
        return count + tiny + middle; // @look
    }

    static int times(int n) {
        int total = 0;
        for (int i = 0; i < n; i++) {
            total += i; // @hot
        }
        return total;
    }

    static volatile boolean waits = true;

    /** Does not return for 5 until it may. */
    static boolean slow(int i) {
        while (i == 5 && waits) {
            Thread.onSpinWait();
        }
        return i == 9;
    }

    static int depth(int n) {
        if (n <= 0) {
            return 0;
        }
        return depth(n - 1) + 1; // @deep
    }

    static int several(int n) {
        int found = 0;
        for (int i = 0; i < n; i++) {
            switch (i % 3) {
                case 0:
                    found += 1; // @first
                    break;
                case 1:
                    try {
                        found += Integer.parseInt("x" + i); // @second
                    } catch (NumberFormatException e) {
                        found += 2; // @caught
                    }
                    break;
                default:
                    found += new Order(i, "n").isOdd() ? 1 : 0; // @third
                    break;
            }
        }
        return found;
    }

    static void threads(int count, int each) throws InterruptedException {
        CountDownLatch begin = new CountDownLatch(1);
        List<Thread> all = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            Thread thread = new Thread(() -> {
                try {
                    begin.await();
                } catch (InterruptedException e) {
                    return;
                }
                times(each);
            }, "worker-" + number);
            thread.start();
            all.add(thread);
        }
        begin.countDown();
        for (Thread thread : all) {
            thread.join();
        }
    }

    public static void main(String[] args) throws Exception {
        Probed probed = new Probed();
        for (int i = 0; i < 40; i++) {
            int[] numbers = {i, i * 2, i * 3};
            probed.look(i, i * 10_000_000_000L, i / 4.0, i / 8f, (char) ('a' + i % 26), i % 2 == 0, "text" + i % 7, numbers);
        }
        System.out.println("ready"); // @ready
        System.out.println(times(args.length > 0 ? Integer.parseInt(args[0]) : 1000));
        System.out.println(depth(20));
        System.out.println(several(30));
        threads(4, 5_000);
        System.out.println(times(10)); // @end
    }
}
