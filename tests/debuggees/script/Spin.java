// SPDX-License-Identifier: Apache-2.0

/** Counts until it is ended; its shutdown hook prints that. */
public final class Spin {
    static volatile long rounds;
    static volatile boolean goOn = true;

    private Spin() {}

    public static void main(String[] args) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook ran"))); // @hook
        System.out.println("spinning");
        while (goOn) {
            round(); // @round
            Thread.sleep(1);
        }
        System.out.println("let go");
    }

    private static void round() {
        rounds++; // @count
    }
}
