// SPDX-License-Identifier: Apache-2.0

/** A method that calls another one, and counts its calls; both may get new code meanwhile. */
public final class Chain {
    static int calls;
    static volatile boolean waits;

    private Chain() {}

    static String inner() {
        String text = "old inner"; // @inner
        calls++;
        if (waits) {
            System.out.println("waiting");
        }
        while (waits) {
            Thread.onSpinWait();
        }
        return text; // @in-inner
    }

    static String outer() {
        String text = "old outer " + inner();
        return text; // @in-outer
    }

    public static void main(String[] args) {
        waits = args.length > 0;
        Runnable task = () -> System.out.println("old task " + outer()); // @task
        task.run();
        System.out.println(calls);
    }
}
