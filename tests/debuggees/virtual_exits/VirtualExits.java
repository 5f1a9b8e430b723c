// SPDX-License-Identifier: Apache-2.0

import java.util.stream.IntStream;

/** A virtual thread that leaves its carrier in frames that it then comes out of; others do too. */
public final class VirtualExits {
    private static volatile boolean done;

    private VirtualExits() {}

    static int sleeping(int n) throws InterruptedException {
        int twice = 2 * n; // @sleeps
        Thread.sleep(2);
        return twice;
    }

    static int failing(int n) throws InterruptedException {
        synchronized (new Object()) {
            Thread.sleep(2); // @fails
            throw new IllegalStateException("n" + n);
        }
    }

    static int deep(int n) {
        if (n == 0) {
            Thread.yield(); // @deep
            return 0;
        }
        int below = deep(n - 1);
        Thread.yield();
        return below + 1;
    }

    static int streamed(int n) {
        return IntStream.range(0, n).map(i -> deep(i)).sum();
    }

    static int failed(int n) throws InterruptedException {
        try {
            return failing(n); // @calls-failing
        } catch (IllegalStateException expected) {
            return 1;
        }
    }

    // What the one that is stepped does, two times each: once for the call, once inside.
    static void stepped() throws InterruptedException {
        int sum = 0; // @begin
        for (int i = 0; i < 2; i++) {
            sum += sleeping(1); // @calls
        }
        for (int i = 0; i < 2; i++) {
            sum += failed(i);
        }
        for (int i = 0; i < 2; i++) {
            sum += deep(3); // @calls-deep
        }
        sum += streamed(3); // @streams
        System.out.println("sum " + sum);
    }

    // The same code, in other threads.
    static void others() {
        try {
            while (!done) {
                sleeping(2);
                deep(5);
            }
        } catch (InterruptedException gone) {
            throw new IllegalStateException(gone);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] others = new Thread[3];
        for (int i = 0; i < others.length; i++) {
            others[i] = Thread.ofVirtual().start(VirtualExits::others);
        }
        Thread stepped = Thread.ofVirtual().start(() -> {
            try {
                stepped();
            } catch (InterruptedException gone) {
                throw new IllegalStateException(gone);
            }
        });
        stepped.join();
        done = true;
        for (Thread other : others) {
            other.join();
        }
    }
}
