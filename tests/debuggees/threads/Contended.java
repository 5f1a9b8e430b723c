// SPDX-License-Identifier: Apache-2.0

/** One thread has a monitor most of the time, another wants it again and again; a third one waits on another. */
public final class Contended {
    static final Object HOT = new Object();
    static final Object BELL = new Object();
    static volatile boolean goOn = true;

    private Contended() {}

    private static void hold() throws InterruptedException {
        synchronized (HOT) {
            Thread.sleep(40);
        }
        Thread.sleep(1);
    }

    private static void want() {
        synchronized (HOT) { // @wanted
            Thread.yield();
        }
    }

    private static void ring() throws InterruptedException {
        synchronized (BELL) {
            BELL.wait(10); // @waits
        }
    }

    private static void start(String name, Body body) {
        Thread thread = new Thread(() -> {
            try {
                while (goOn) {
                    body.run();
                }
            } catch (InterruptedException ignored) {
                // Nobody interrupts.
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    interface Body {
        void run() throws InterruptedException;
    }

    public static void main(String[] args) throws InterruptedException {
        start("holder", Contended::hold);
        start("wanter", Contended::want);
        start("ringer", Contended::ring);
        System.out.println("contended");
        while (goOn) {
            Thread.sleep(20);
        }
    }
}
