// SPDX-License-Identifier: Apache-2.0
// Threads that write the same field of many objects; of one now and then.
import java.lang.ref.WeakReference;

public class Owned {
    static final int THREADS = 4, ROUNDS = 50_000, SELDOM = 10_000;

    int value;
    long total;
    String name;

    void set(int to) {
        value = to; // @owned-set
    }

    static void spin(Owned one, Owned other) {
        for (int i = 1; i <= ROUNDS; i++) {
            other.set(i);
            other.total += i;
            if (i % SELDOM == 0) {
                one.set(i);
                one.total++; // @owned-total
            }
        }
    }

    static void race(Owned one) throws InterruptedException {
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> spin(one, new Owned()), "owner-" + i);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    static WeakReference<Owned> raced() throws InterruptedException {
        Owned one = new Owned();
        one.name = "one"; // @owned
        race(one);
        return new WeakReference<>(one);
    }

    public static void main(String[] arguments) throws InterruptedException {
        WeakReference<Owned> one = raced();
        while (one.get() != null) {
            System.gc();
        }
        race(new Owned()); // @owned-collected
        Afterwards.write(new Owned());
        System.out.println("end"); // @owned-end
    }
}

class Afterwards {
    static void write(Owned it) {
        it.value = 1;
        it.value = 2;
    }
}
