// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.CountDownLatch;

/** Two threads that do the same to accounts of their own, and end by an exception. */
public final class Filtered {
    static final int ROUNDS = 10;
    static final int[] latest = new int[2];
    static final IllegalArgumentException MADE_BEFORE = new IllegalArgumentException("before");
    static final CountDownLatch begin = new CountDownLatch(1);
    /** Whether the threads end by a stack overflow. */
    static boolean isDeep;
    /** Of the thread that was started last. */
    static Account second;

    static final class Account {
        private int balance;

        void add(int amount) {
            int after = balance + amount;
            balance = after; // @add
            latest[0] = after;
            try {
                check();
            } catch (IllegalStateException expected) {
                latest[1]++;
            }
        }

        void check() {
            throw new IllegalStateException("checked");
        }

        void move(Account to) {
            to.balance--;
        }

        void end() {
            int unused = isDeep ? deeper(0) : 0;
            throw MADE_BEFORE;
        }

        int deeper(int depth) {
            return deeper(depth + 1) + 1;
        }
    }

    static void work(Account one, Account two) {
        for (int i = 0; i < ROUNDS; i++) {
            one.add(1);
            two.add(2);
            one.move(two);
        }
        two.end();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = {start("first"), start("the second")};
        begin.countDown(); // @ready
        for (Thread each : threads) {
            each.join();
        }
        System.out.println("done"); // @done
    }

    private static Thread start(String name) {
        Account one = new Account();
        Account two = second = new Account();
        Thread thread = new Thread(() -> {
            try {
                begin.await();
            } catch (InterruptedException e) {
                return;
            }
            work(one, two);
        }, name);
        thread.start();
        return thread;
    }
}
