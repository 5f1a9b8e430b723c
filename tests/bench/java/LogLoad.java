// SPDX-License-Identifier: Apache-2.0
/** A line that is passed a number of times, with at least so many nanoseconds between two passes; prints how long it took. */
public final class LogLoad {
    private static long spin(long until) {
        long now = System.nanoTime();
        while (now < until) {
            now = System.nanoTime();
        }
        return now;
    }

    private static long pass(int times, int apart) {
        long sum = 0;
        long next = System.nanoTime();
        for (int i = 0; i < times; i++) {
            next = Math.max(next + apart, spin(next));
            sum += i; // @passed
        }
        return sum;
    }

    public static void main(String[] args) {
        int times = Integer.parseInt(args[0]);
        int apart = Integer.parseInt(args[1]);
        for (int number = 0; number < 20; number++) {
            pass(1000, 0); // compiled before it is measured, with the log point
        }
        long begun = System.nanoTime();
        long sum = pass(times, apart);
        System.out.println((System.nanoTime() - begun) / (double) times + " " + sum); // @end
    }
}
