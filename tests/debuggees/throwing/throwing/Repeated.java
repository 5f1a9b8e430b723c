// SPDX-License-Identifier: Apache-2.0
package throwing;

/**
 * The same exceptions again and again, all of them caught, and then one from the same line that
 * nothing catches. The argument says whether they have a stack trace. Prints what each has cost.
 */
public class Repeated {
    static final class Problem extends RuntimeException {
        Problem(boolean hasTrace) {
            super("again", null, false, hasTrace);
        }
    }

    static final int WARM_UP = 20_000;
    static final int MEASURED = 50_000;

    static boolean hasTrace;

    static int fails(int depth) {
        if (depth == 0) {
            throw new Problem(hasTrace); // @fails
        }
        return fails(depth - 1) + 1;
    }

    static int catches(int depth) {
        try {
            return fails(depth);
        } catch (Problem problem) {
            return depth;
        }
    }

    static long sum(int count) {
        long sum = 0;
        for (int index = 0; index < count; ++index) {
            sum += catches(index & 3);
        }
        return sum;
    }

    public static void main(String[] arguments) throws InterruptedException {
        hasTrace = arguments[0].equals("trace");
        long sum = sum(WARM_UP);
        long before = cpuTime();
        sum += sum(MEASURED);
        long each = (cpuTime() - before) / MEASURED;
        System.out.println(each + " ns " + sum); // @settled
        catches(0);
        Thread dies = new Thread(() -> fails(2));
        dies.setUncaughtExceptionHandler((thread, problem) -> { });
        dies.start();
        dies.join();
        System.out.println("done");
    }

    private static long cpuTime() {
        return java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
