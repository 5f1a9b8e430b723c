// SPDX-License-Identifier: Apache-2.0

/** Allocates in a thread that ran already, and in a new one; waits for a monitor. */
public final class Beginnings {
    static final class Early {
        long one;
    }

    static final class Late {
        long one;
    }

    static final Object LOCK = new Object();
    static volatile Object kept;
    static volatile boolean isOver;

    private static void early(int count) {
        for (int made = 0; made < count; made++) {
            kept = new Early();
        }
    }

    private static void late(int count) {
        for (int made = 0; made < count; made++) {
            kept = new Late();
        }
    }

    private static void hold() {
        synchronized (LOCK) {
            while (!isOver) {
                Thread.onSpinWait();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread holder = new Thread(Beginnings::hold, "holder");
        holder.start();
        Thread waiter = new Thread(() -> {
            synchronized (LOCK) {
                kept = null;
            }
        }, "waiter");
        waiter.start();
        while (waiter.getState() != Thread.State.BLOCKED) {
            Thread.onSpinWait();
        }
        early(1_000);
        early(500_000); // @begin
        Thread thread = new Thread(() -> late(1_000), "new");
        thread.start();
        thread.join();
        kept = null; // @end
        while (!isOver) {
            Thread.onSpinWait();
        }
    }
}
