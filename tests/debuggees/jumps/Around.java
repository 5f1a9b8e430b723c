// SPDX-License-Identifier: Apache-2.0

import java.util.concurrent.Callable;
import java.util.function.IntBinaryOperator;

/** Jumps beside breakpoints, in places where none is possible, and in threads of several kinds. */
public final class Around {
    private static final Object LOCK = new Object();
    static int passes;
    private final String name;

    static {
        passes = 0; // @initializer
        passes = 0;
    }

    private Around(String name) {
        this.name = name; // @constructor
        passes++;
    }

    public static void main(String[] args) throws Exception {
        String first = "passes "; // @main
        System.out.println(counted(4));
        System.out.println(recursive(3));
        locked(1);
        block(1);
        System.out.println(new Around("n").name);
        Class<?> type = Around.class;
        System.out.println(type.getDeclaredMethod("reflected", int.class).invoke(null, 5));
        Thread thread = new Thread(() -> {
            inThread(2); // @run
        });
        thread.start();
        thread.join();
        light(() -> inThread(2)).join();
        IntBinaryOperator sum = Around::sum;
        System.out.println(sum.applyAsInt(2, 3));
        Callable<String> called = () -> "c" + sum(4, 5);
        System.out.println(called.call());
        System.out.println(first + passes);
    }

    /** A virtual thread that runs, on a JDK that has any. */
    private static Thread light(Runnable work) throws Exception {
        try {
            return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
        } catch (NoSuchMethodException old) {
            Thread thread = new Thread(work);
            thread.start();
            return thread;
        }
    }

    private static int counted(int count) {
        int total = 0;
        for (int i = 0; i < count; i++) {
            total += i; // @counted-to
            total += 10; // @counted-middle
            total += 100; // @counted-from
        }
        return total;
    }

    private static int recursive(int depth) {
        int below = depth == 0 ? 0 : recursive(depth - 1);
        int here = below * 2; // @recursive-to
        return here + depth; // @recursive-from
    }

    private static synchronized void locked(int value) {
        passes += value; // @locked
        passes -= value;
    }

    private static void block(int value) {
        passes += value; // @before
        synchronized (LOCK) {
            passes += value; // @block
            passes -= value;
        }
        passes -= value;
    }

    private static int reflected(int value) {
        int more = value + 1; // @reflected-to
        return more * 2; // @reflected
    }

    private static void inThread(int value) {
        int more = value * 3; // @thread-to
        passes += more; // @thread-from
        passes -= more;
    }

    private static int sum(int a, int b) {
        int sum = a + b; // @sum-to
        sum *= 10; // @sum-middle
        return sum; // @sum-from
    }
}
