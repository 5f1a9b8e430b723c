// SPDX-License-Identifier: Apache-2.0

/** The same work before and after steps in the frame that calls it. */
final class AfterStep {
    private static int sink;

    private AfterStep() {}

    private static int mixed(int number) {
        return number * 31 + (number >>> 3);
    }

    private static void work() {
        int value = sink;
        for (int i = 0; i < 2_000_000; i++) {
            value = mixed(value ^ i);
        }
        sink = value;
    }

    /** The shortest of some runs, in microseconds. */
    private static long best(int runs) {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < runs; i++) {
            long begun = System.nanoTime();
            work();
            best = Math.min(best, System.nanoTime() - begun);
        }
        return best / 1000 + 1;
    }

    private static int called(int number) {
        int doubled = number * 2; // @called
        return doubled;
    }

    public static void main(String[] arguments) {
        long before = best(40);
        int number = called(20); // @step
        number += called(1); // @next
        long after = best(8); // @behind
        System.out.println("times " + before + " " + after + " " + number);
    }
}
