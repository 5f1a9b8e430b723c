// SPDX-License-Identifier: Apache-2.0

/** Calls one method: what a call takes, in nanoseconds, without the time between two. */
public final class CallCost {
    static volatile long sum;

    public static void main(String[] args) {
        int calls = Integer.parseInt(args[0]);
        long apart = Long.parseLong(args[1]);
        run(Integer.parseInt(args[2]), 0); // is compiled now, and what is traced is
        System.out.println((double) run(calls, apart) / calls);
    }

    private static long run(int calls, long apart) {
        long spent = 0;
        for (int i = 0; i < calls; i++) {
            long begun = System.nanoTime();
            sum += step(i, "text");
            long ended = System.nanoTime();
            spent += ended - begun;
            while (System.nanoTime() - ended < apart) {
                Thread.onSpinWait();
            }
        }
        return spent;
    }

    static int step(int i, String text) {
        return i + text.length();
    }
}
