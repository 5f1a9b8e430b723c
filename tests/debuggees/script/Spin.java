// SPDX-License-Identifier: Apache-2.0

/** Counts until it is ended; its shutdown hook prints that, and with an argument never ends. */
public final class Spin {
    static volatile long rounds;
    static volatile boolean goOn = true;

    private Spin() {}

    public static void main(String[] args) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook ran"))); // @hook
        if (args.length > 0) {
            Runtime.getRuntime().addShutdownHook(new Thread(Spin::sleepForEver));
        }
        System.out.println("spinning");
        while (goOn) {
            round(); // @round
            Thread.sleep(1);
        }
        System.out.println("let go");
    }

    private static void sleepForEver() {
        while (true) {
            try {
                Thread.sleep(1_000);
            } catch (InterruptedException ignored) {
                // Only a kill ends it.
            }
        }
    }

    private static void round() {
        rounds++; // @count
    }
}
