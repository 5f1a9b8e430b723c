// SPDX-License-Identifier: Apache-2.0
package left;

/** What the threads of Visit call all the time. */
public final class Zoo {
    static volatile long rounds;
    static volatile long sums;
    static int food;
    static final Object GATE = new Object();

    private final int legs;

    Zoo(int legs) {
        this.legs = legs;
    }

    static void round(long sum) {
        rounds++; // a guess, as there are two threads
        if (rounds % 100 == 0) {
            gate(sum);
        }
    }

    static void gate(long sum) {
        synchronized (GATE) {
            for (int i = 0; i < 20_000; i++) { // long enough for the other to wait
                sums += sum ^ i;
            }
        }
    }

    static int feed(int i) {
        food = i; // @feed
        return new Zoo(i & 7).legs();
    }

    int legs() {
        return legs;
    }

    static int walk(int i) {
        return twice(i) - i; // @walk
    }

    static int sleep(int i) {
        return (i & 1) == 0 ? once(i) : twice(i);
    }

    static int once(int i) {
        return i; // @once
    }

    static int twice(int i) {
        return i + i; // @twice
    }
}
