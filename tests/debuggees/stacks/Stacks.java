// SPDX-License-Identifier: Apache-2.0

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;

/** Prints the lines of its stack in all ways that a program has. */
public final class Stacks {
    private static final CountDownLatch PARKED = new CountDownLatch(1);
    private static final CountDownLatch OVER = new CountDownLatch(1);

    private Stacks() {}

    static void thrown(int depth) {
        int left = depth - 1; // @depth
        if (left < 0) {
            throw new IllegalStateException("bottom");
        }
        thrown(left);
    }

    static void caught() {
        try {
            thrown(2);
        } catch (IllegalStateException e) {
            StringWriter text = new StringWriter(); // @caught
            e.printStackTrace(new PrintWriter(text, true));
            System.out.print(text);
            System.out.println(Arrays.toString(e.getStackTrace()));
        }
        try {
            Object nothing = null;
            System.out.println(nothing.hashCode()); // @null
        } catch (NullPointerException e) {
            System.out.println(e.getStackTrace()[0]);
        }
    }

    static void walked() {
        Runnable lines = () -> StackWalker.getInstance().forEach( // @lambda
                frame -> System.out.println(frame.getMethodName() + ":" + frame.getLineNumber()));
        lines.run(); // @walked
        System.out.println(Arrays.toString(Thread.currentThread().getStackTrace()));
    }

    static void parked() throws InterruptedException {
        PARKED.countDown();
        OVER.await(); // @parked
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            try {
                parked();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        other.start();
        PARKED.await();
        caught();
        walked();
        while (other.getState() != Thread.State.WAITING) {
            Thread.sleep(1);
        }
        for (StackTraceElement frame : Thread.getAllStackTraces().get(other)) {
            if (frame.getClassName().equals("Stacks")) {
                System.out.println("other " + frame);
            }
        }
        OVER.countDown();
        other.join();
        thrown(0); // @uncaught
    }
}
