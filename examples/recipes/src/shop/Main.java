// SPDX-License-Identifier: Apache-2.0
package shop;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;

/** A shop with some bugs, which the recipes find. The argument says what it does. */
public final class Main {
    static final List<Customer> CUSTOMERS = new ArrayList<>();
    static final Queue<String> ORDERS = new ArrayDeque<>();

    private Main() {}

    public static void main(String[] args) throws Exception {
        String what = args.length == 0 ? "sell" : args[0];
        if (what.equals("sell")) {
            sell(args.length > 1 ? Integer.parseInt(args[1]) : 0);
        } else if (what.equals("serve")) {
            serve();
        } else if (what.equals("transfer")) {
            transfer();
        } else if (what.equals("report")) {
            Reports.run();
        }
    }

    static void sell(int discount) {
        Customer ann = new Customer("Ann");
        CUSTOMERS.add(ann);
        Cart cart = new Cart(ann);
        for (int price = 10; price <= 30; price += 10) {
            cart.add(price);
        }
        System.out.println("to pay: " + cart.toPay(discount));
        Customer.forget(ann);
        try {
            System.out.println(ann.greeting());
        } catch (NullPointerException error) {
            System.out.println("no greeting");
        }
    }

    /** Takes orders until it is ended; one of them in a thread that must not. */
    static void serve() throws InterruptedException {
        Thread worker = new Thread(() -> ORDERS.add(Cart.order("from the worker")), "worker");
        worker.start();
        worker.join();
        for (int number = 1; number <= 40; number++) {
            ORDERS.add(Cart.order("number " + number));
            Thread.sleep(10);
        }
    }

    static void transfer() {
        Object till = new Object();
        Object safe = new Object();
        CountDownLatch both = new CountDownLatch(2);
        new Thread(() -> move(till, safe, both), "to the safe").start();
        new Thread(() -> move(safe, till, both), "to the till").start();
    }

    static void move(Object from, Object to, CountDownLatch both) {
        synchronized (from) {
            both.countDown();
            try {
                both.await();
            } catch (InterruptedException error) {
                return;
            }
            synchronized (to) {
                System.out.println("moved");
            }
        }
    }
}
