// SPDX-License-Identifier: Apache-2.0

/** Sleeps until it is killed. No other test runs it: it is found by its name. */
public final class RelayedAlone {
    private RelayedAlone() {}

    public static void main(String[] args) throws InterruptedException {
        System.out.println("sleeping");
        while (true) {
            Thread.sleep(1_000);
        }
    }
}
