// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** What traces, watches and samples observe; the argument says which part runs. */
public final class Observed {
    static int counter;
    static String name = "first";
    static final List<String> ORDERS = new ArrayList<>();
    static final Map<String, Integer> PRICES = new HashMap<>();
    static volatile boolean goOn = true;

    int total;
    String owner;

    Observed(String owner) {
        this.owner = owner; // @constructed
    }

    public static void main(String[] args) throws Exception {
        switch (args.length == 0 ? "calls" : args[0]) {
            case "calls":
                calls();
                break;
            case "threads":
                threads(args.length > 1);
                break;
            case "fields":
                fields();
                break;
            case "spin":
                spin();
                break;
            case "deadlock":
                deadlock();
                break;
            default:
                throw new IllegalArgumentException(args[0]);
        }
        System.out.println("done");
    }

    static void calls() {
        Observed it = new Observed("Ann");
        it.add("cup", 2);
        it.total();
        factorial(3);
        try {
            outer(true);
        } catch (IllegalStateException expected) {
            counter++;
        }
        outer(false);
        empty();
        loops(3);
        choice(true);
        computed(20);
        Runtime.getRuntime().availableProcessors();
        text();
    }

    int add(String what, int count) {
        total += what.length() * count; // @add
        return total;
    }

    int total() {
        return total;
    }

    static long factorial(int n) {
        if (n <= 1) {
            return 1L;
        }
        return n * factorial(n - 1);
    }

    static String outer(boolean fails) {
        return inner(fails);
    }

    static String inner(boolean fails) {
        if (fails) {
            throw new IllegalStateException("no luck"); // @thrown
        }
        try {
            throw new UnsupportedOperationException("caught inside");
        } catch (UnsupportedOperationException caught) {
            return "fine";
        }
    }

    static void empty() {}

    static int loops(int n) {
        while (n > 0) {
            n--;
        }
        return n;
    }

    static int choice(boolean which) {
        return which ? 1 : 2;
    }

    static int computed(int n) {
        return n * 2 + 2;
    }

    static String text() {
        String text = "a\u001b[31mred";
        return text;
    }

    static void threads(boolean virtual) throws Exception {
        List<Thread> started = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Runnable work = () -> {
                for (int n = 1; n <= 5; n++) {
                    try {
                        descend(n, n % 2 == 0);
                    } catch (IllegalArgumentException expected) {
                        synchronized (Observed.class) {
                            counter++;
                        }
                    }
                }
            };
            Thread thread = virtual ? virtualThread(work) : new Thread(work, "worker-" + i);
            started.add(thread);
            if (!virtual) {
                thread.start();
            }
        }
        for (Thread each : started) {
            each.join();
        }
    }

    static Thread virtualThread(Runnable work) throws Exception {
        return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
    }

    static int descend(int n, boolean fails) {
        if (n == 0) {
            if (fails) {
                throw new IllegalArgumentException("bottom");
            }
            return 0;
        }
        int below = descend(n - 1, fails) + 1;
        return below;
    }

    static void fields() {
        Observed it = new Observed("Ann");
        it.owner = "Bob";
        clear(it);
        counter = 7; // @counter
        counter = 0;
        name = "second";
    }

    static void clear(Observed it) {
        it.owner = null; // @clears
    }

    static void spin() throws InterruptedException {
        System.out.println("spinning");
        while (goOn) {
            tick(counter);
            Thread.sleep(2);
        }
    }

    static void tick(int n) {
        counter++; // @tick
        ORDERS.add("order " + n);
        PRICES.put("order " + n, n);
    }

    static void deadlock() throws Exception {
        Object left = new Object();
        Object right = new Object();
        CountDownLatch both = new CountDownLatch(2);
        new Thread(() -> takeBoth(left, right, both), "lefty").start();
        new Thread(() -> takeBoth(right, left, both), "righty").start();
    }

    static void takeBoth(Object first, Object second, CountDownLatch both) {
        synchronized (first) {
            both.countDown();
            try {
                both.await();
            } catch (InterruptedException stopped) {
                return;
            }
            synchronized (second) { // @second
                System.out.println("never");
            }
        }
    }
}
