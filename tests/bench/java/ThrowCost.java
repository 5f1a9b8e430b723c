// SPDX-License-Identifier: Apache-2.0

import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * Exceptions that are caught, and how long each takes, in processor time of the thread: through
 * eight frames, from an inlined call, and thrown by the VM itself.
 */
public final class ThrowCost {
    private static final int ROUNDS = 9;
    private static final int COUNT = 10_000;
    private static int[] none = new int[0];

    private ThrowCost() {}

    private interface Work {
        int run(int number);
    }

    static int fails(int depth) {
        if (depth == 0) {
            throw new IllegalStateException("expected");
        }
        return fails(depth - 1) + 1;
    }

    static int throughFrames(int number) {
        try {
            return fails(8);
        } catch (IllegalStateException expected) {
            return number;
        }
    }

    static int inlined(int number) {
        try {
            return fails(0);
        } catch (IllegalStateException expected) {
            return number;
        }
    }

    static int byTheVm(int number) {
        try {
            return none[number & 7];
        } catch (ArrayIndexOutOfBoundsException expected) {
            return number;
        }
    }

    private static void measure(String name, Work work) {
        long[] times = new long[ROUNDS];
        long sum = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long before = cpuTime();
            for (int number = 0; number < COUNT; number++) {
                sum += work.run(number);
            }
            times[round] = (cpuTime() - before) / COUNT;
        }
        Arrays.sort(times);
        System.out.println(name + " " + times[ROUNDS / 2] + " " + sum);
    }

    public static void main(String[] args) {
        begun();
        measure("through-frames", ThrowCost::throughFrames);
        measure("inlined-call", ThrowCost::inlined);
        measure("by-the-vm", ThrowCost::byTheVm);
    }

    static void begun() {
        none = none.clone(); // @begun
    }

    private static long cpuTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
