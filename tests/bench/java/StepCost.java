// SPDX-License-Identifier: Apache-2.0

/** Calls that a debugger steps over: one that calls itself 21,891 times, and a long one. */
public final class StepCost {
    private StepCost() {}

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        long sum = 0;
        for (int i = 0; i < rounds; i++) {
            sum += fib(20); // @recursion
            sum += loop(1_000_000); // @long
        }
        System.out.println(sum);
    }

    static long fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static long loop(int times) {
        long sum = 0;
        for (int i = 0; i < times; i++) {
            sum += add(i, times);
        }
        return sum;
    }

    private static long add(int left, int right) {
        return left + right;
    }
}
