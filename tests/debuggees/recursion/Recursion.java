// SPDX-License-Identifier: Apache-2.0

/** Calls to itself: stepping over one must stay in its frame, however hot the recursion is. */
public final class Recursion {
    static long calls;

    private Recursion() {}

    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 15;
        long value = fib(n); // @fib-call
        boolean even = isEven(6); // @even-call
        System.out.println(value + " " + even); // @done
    }

    static long fib(int n) {
        calls++; // @fib
        if (n < 2) {
            return n; // @base
        }
        long left = fib(n - 1); // @left
        long right = fib(n - 2); // @right
        return left + right; // @sum
    }

    static boolean isEven(int n) {
        return n == 0 || isOdd(n - 1); // @even
    }

    static boolean isOdd(int n) {
        return n != 0 && isEven(n - 1); // @odd
    }
}
