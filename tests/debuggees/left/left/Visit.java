// SPDX-License-Identifier: Apache-2.0
package left;

/**
 * Two threads that call methods of Zoo until told to end. Their loop is in a class of its own: a
 * method that never returns runs interpreted for good once its class was changed.
 */
public final class Visit {
    static volatile boolean goOn = true;

    private Visit() {}

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(Visit::live, "other");
        other.start();
        live();
        other.join();
        System.out.println("done");
    }

    private static void live() {
        while (goOn) {
            long sum = 0;
            for (int i = 0; i < 2000; i++) {
                sum += Zoo.feed(i) + Zoo.walk(i) + Zoo.sleep(i);
            }
            Zoo.round(sum);
        }
    }
}
