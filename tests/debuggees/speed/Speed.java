// SPDX-License-Identifier: Apache-2.0

/** Methods that a debugger steps in and leaves in the middle; then what they cost, and a twin. */
public final class Speed {
    private static final int CALLS = 300_000;
    private static final int TRIES = 40;

    static volatile boolean go;
    static int waits;

    private Speed() {}

    static int callee(int n) {
        while (!go) {
            pause(); // @waiting
        }
        return n * 2;
    }

    static void pause() {
        waits++;
        try {
            Thread.sleep(1);
        } catch (InterruptedException never) {
            throw new IllegalStateException(never);
        }
    }

    static int stepped(int n) {
        try {
            return callee(n); // @stepped
        } catch (IllegalStateException never) {
            return -1;
        }
    }

    static int outer(int n) {
        int got = stepped(n); // @outer
        return got + 1; // @outer-end
    }

    static int twin(int n) {
        try {
            return callee(n);
        } catch (IllegalStateException never) {
            return -1;
        }
    }

    static int outerTwin(int n) {
        int got = twin(n);
        return got + 1;
    }

    /** The least time, in ns, that so many calls took. */
    static long time(boolean ofTwin) {
        long best = Long.MAX_VALUE;
        long sum = 0;
        for (int attempt = 0; attempt < TRIES; attempt++) {
            long began = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                sum += ofTwin ? outerTwin(i) : outer(i);
            }
            best = Math.min(best, System.nanoTime() - began);
        }
        return sum == 0 ? 0 : best;
    }

    public static void main(String[] args) {
        for (int round = 0; round < 2; round++) {
            outer(round); // @round
            go = false;
        }
        go = true;
        long twin = time(true);
        long own = time(false);
        System.out.println("times " + own + " " + twin);
    }
}
