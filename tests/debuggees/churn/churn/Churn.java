// SPDX-License-Identifier: Apache-2.0
package churn;

import eyes.Eyes;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/**
 * A program whose threads number what they do, so that a debugger can tell whether it has missed a pass
 * of a line or seen one twice: in short and in long methods, in handlers of exceptions, in classes that
 * come and go, in virtual threads. It ends when its input does, and says whether its sums are right and
 * whether the VM runs the code of its classes that it ran at the start.
 */
public final class Churn {
    static volatile boolean over;
    private static final int PASSES = 1_000;

    private Churn() {}

    /** What a thread does in one turn; `n` goes on from turn to turn. */
    abstract static class Turns implements Runnable {
        final int id;
        long n;
        long sum;

        Turns(int id) {
            this.id = id;
        }

        abstract void turn() throws Exception;

        @Override
        public void run() {
            try {
                while (!over) {
                    turn();
                    Thread.sleep(1);
                }
            } catch (Exception error) {
                error.printStackTrace();
                System.exit(4);
            }
        }

        boolean isRight() {
            return sum == n * (n + 1) / 2;
        }
    }

    /** A short method, called often. */
    static final class Passing extends Turns {
        Passing(int id) {
            super(id);
        }

        @Override
        void turn() {
            for (int each = 0; each < PASSES; each++) {
                pass(id, ++n);
            }
        }

        private void pass(int id, long n) {
            sum += n; // @pass
        }

        private boolean isOver(long limit) {
            return n > limit;
        }
    }

    /** A method that runs for long: frames of it are older than most of what a debugger does. */
    static final class Looping extends Turns {
        Looping(int id) {
            super(id);
        }

        @Override
        void turn() throws Exception {
            for (int each = 0; each < 40 * PASSES; each++) {
                long now = ++n;
                sum += now; // @inside
                if (each % PASSES == 0) {
                    Thread.sleep(1);
                }
            }
        }
    }

    /** Exceptions that are caught where a probe may be. */
    static final class Throwing extends Turns {
        private final List<String> texts = new ArrayList<>();

        Throwing(int id) {
            super(id);
        }

        @Override
        void turn() {
            for (int each = 0; each < PASSES / 20; each++) {
                thrown(++n);
            }
            texts.clear();
        }

        private void thrown(long n) {
            try {
                texts.add(Long.toString(n)); // @tried
                deeper((int) (n % 4));
            } catch (IllegalStateException e) {
                sum += n; // @caught
            }
        }

        private static void deeper(int depth) {
            if (depth == 0) {
                throw new IllegalStateException("bottom"); // @bottom
            }
            deeper(depth - 1);
        }
    }

    /** Numbers that go into a field and into an array. */
    static final class Storing extends Turns {
        private final long[] marks = new long[4];
        private long last;

        Storing(int id) {
            super(id);
        }

        @Override
        void turn() {
            for (int each = 0; each < PASSES; each++) {
                store(++n);
            }
        }

        private void store(long n) {
            last = n;
            marks[(int) (n % marks.length)] = n; // @store
            sum += n;
        }
    }

    /** Classes that are loaded, used, and left to the garbage collector. */
    static final class Loading extends Turns {
        Loading(int id) {
            super(id);
        }

        @Override
        void turn() throws Exception {
            Class<?> loaded = Class.forName("churn.Passenger", true, new Fresh());
            Method ride = loaded.getMethod("ride", long.class, int.class);
            n++;
            for (int stop = 0; stop < 3; stop++) {
                sum += (Long) ride.invoke(null, n, stop);
            }
            if (n % 40 == 0) {
                System.gc();
            }
        }
    }

    /** Has the virtual threads of a newer Java pass. */
    static final class Virtual extends Turns {
        private final Method start = starter();

        Virtual(int id) {
            super(id);
        }

        private static Method starter() {
            try {
                return Thread.class.getMethod("startVirtualThread", Runnable.class);
            } catch (NoSuchMethodException old) {
                return null;
            }
        }

        @Override
        void turn() throws Exception {
            Thread thread;
            if (start != null) {
                thread = (Thread) start.invoke(null, (Runnable) this::some);
            } else {
                thread = new Thread(this::some);
                thread.start();
            }
            thread.join();
        }

        private void some() {
            for (int each = 0; each < PASSES / 4; each++) {
                float_(++n);
                if (each % 50 == 0) {
                    Thread.yield();
                }
            }
        }

        private void float_(long n) {
            sum += n; // @float
        }
    }

    /** Its class is replaced while it runs. */
    static final class Replaced {
        private Replaced() {}

        static long same(long n) {
            return n; // @same
        }
    }

    static final class Calling extends Turns {
        Calling(int id) {
            super(id);
        }

        @Override
        void turn() {
            for (int each = 0; each < PASSES; each++) {
                sum += Replaced.same(++n);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Eyes eyes = new Eyes(Churn.class, Turns.class, Passing.class, Looping.class, Throwing.class, Loading.class,
                Virtual.class, Calling.class, Storing.class, Throwable.class);
        List<Turns> all = new ArrayList<>();
        all.add(new Passing(0));
        all.add(new Passing(1));
        all.add(new Looping(2));
        all.add(new Throwing(3));
        all.add(new Loading(4));
        all.add(new Calling(5));
        all.add(new Storing(7));
        if (args.length > 0) {
            all.add(new Virtual(6));
        }
        List<Thread> threads = new ArrayList<>();
        for (Turns each : all) {
            Thread thread = new Thread(each, "turns-" + each.id);
            threads.add(thread);
            thread.start();
        }
        System.out.println("at work");
        while (System.in.read() >= 0) {
            Thread.onSpinWait();
        }
        over = true;
        for (Thread thread : threads) {
            thread.join();
        }
        boolean right = true;
        for (Turns each : all) {
            if (!each.isRight()) {
                right = false;
                System.out.println("WRONG: " + each.getClass() + " " + each.n + " " + each.sum);
            }
        }
        String changed = eyes.changed();
        System.out.println(right ? "all sums are right" : "sums are WRONG");
        System.out.println(changed.isEmpty() ? "all code is as it was" : "code is NOT as it was: " + changed);
        System.exit(right && changed.isEmpty() ? 0 : 3);
    }
}
