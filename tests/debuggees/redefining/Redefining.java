// SPDX-License-Identifier: Apache-2.0

import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A program whose own agent changes its classes all the time, and leaves their code as it is. It counts the calls of
 * each method. Arguments: `redefine` or `retransform`, milliseconds between two changes, rounds of each thread; then, if wanted, how
 * many threads there are and how many calls in a round.
 */
public final class Redefining {
    static final int METHODS = 3;
    static final Class<?>[] PARTS = {First.class, Second.class, Third.class, Fourth.class};
    static final AtomicLongArray CALLS = new AtomicLongArray(METHODS * PARTS.length);
    static volatile Instrumentation instrumentation;
    static volatile boolean goesOn = true;
    static volatile int hits;
    static volatile long sum;

    static class First {
        private int held = 1;

        int kept() {
            return held;
        }

        static void one(int i) {
            count(0, i); // @first
        }

        static void two(int i) {
            count(1, i); // @second
        }

        static void three(int i) {
            count(2, i); // @third
        }
    }

    static class Second {
        static void one(int i) {
            count(3, i);
        }

        static void two(int i) {
            count(4, i);
        }

        static void three(int i) {
            count(5, i);
        }
    }

    static class Third {
        static void one(int i) {
            count(6, i);
        }

        static void two(int i) {
            count(7, i);
        }

        static void three(int i) {
            count(8, i);
        }
    }

    static class Fourth {
        private static long last;

        static void one(int i) {
            count(9, i);
        }

        static void two(int i) {
            count(10, i);
        }

        static void three(int i) {
            last += i; // @stored
            count(11, i);
        }
    }

    static void count(int method, int i) {
        CALLS.incrementAndGet(method);
        sum += i;
    }

    public static void premain(String options, Instrumentation given) {
        instrumentation = given;
    }

    static void change(Class<?> part, boolean redefines) throws Exception {
        if (!redefines) {
            instrumentation.retransformClasses(part);
            return;
        }
        try (InputStream in = Redefining.class.getResourceAsStream(part.getName() + ".class")) {
            instrumentation.redefineClasses(new ClassDefinition(part, in.readAllBytes()));
        }
    }

    static void changeAll(boolean redefines, int pause) {
        try {
            for (int at = 0; goesOn; at++) {
                Thread.sleep(pause);
                change(PARTS[at % PARTS.length], redefines);
            }
        } catch (Exception wrong) {
            wrong.printStackTrace();
            System.exit(9);
        }
    }

    static void call(int method, int i) {
        switch (method) {
            case 0: First.one(i); break;
            case 1: First.two(i); break;
            case 2: First.three(i); break;
            case 3: Second.one(i); break;
            case 4: Second.two(i); break;
            case 5: Second.three(i); break;
            case 6: Third.one(i); break;
            case 7: Third.two(i); break;
            case 8: Third.three(i); break;
            case 9: Fourth.one(i); break;
            case 10: Fourth.two(i); break;
            default: Fourth.three(i); break;
        }
    }

    static void work(int rounds, int calls, int seed) {
        Random chance = new Random(seed);
        for (int round = 0; round < rounds; round++) {
            for (int n = 0; n < calls; n++) {
                call(chance.nextInt(CALLS.length()), n);
            }
            try {
                Thread.sleep(1);
            } catch (InterruptedException wrong) {
                throw new AssertionError(wrong);
            }
        }
    }

    /** Changes the class of a method, and calls it until the debugger has stopped there. */
    static void until(int wanted, boolean redefines) throws Exception {
        change(First.class, redefines);
        long end = System.nanoTime() + 30_000_000_000L;
        for (int i = 0; hits < wanted && System.nanoTime() < end; i++) {
            First.one(i);
            sum += new First().kept();
            Thread.sleep(1);
        }
        System.out.println("hits " + hits);
    }

    public static void main(String[] arguments) throws Exception {
        boolean redefines = arguments[0].equals("redefine");
        int pause = Integer.parseInt(arguments[1]);
        int rounds = Integer.parseInt(arguments[2]);
        for (int method = 0; method < CALLS.length(); method++) {
            call(method, 0);
        }
        Thread changing = new Thread(() -> changeAll(redefines, pause), "changing");
        changing.setDaemon(true);
        for (int method = 0; method < CALLS.length(); method++) {
            CALLS.set(method, 0); // @begin
        }
        if (rounds == 0) {
            for (int wanted = 1; wanted <= 3; wanted++) {
                until(wanted, redefines);
            }
            return;
        }
        changing.start();
        Thread[] threads = new Thread[arguments.length > 3 ? Integer.parseInt(arguments[3]) : 2];
        int calls = arguments.length > 4 ? Integer.parseInt(arguments[4]) : 50;
        for (int at = 0; at < threads.length; at++) {
            int seed = at;
            threads[at] = new Thread(() -> work(rounds, calls, seed), "working-" + at);
            threads[at].start();
        }
        for (Thread each : threads) {
            each.join();
        }
        goesOn = false;
        changing.join();
        System.out.println("calls " + CALLS); // @end
    }
}
