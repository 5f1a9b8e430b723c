// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.CyclicBarrier;

/** Two threads read a counter, wait for each other, and write it: every other update is lost. */
public final class LostUpdate {
    static int count;
    static final CyclicBarrier BOTH = new CyclicBarrier(2);

    private LostUpdate() {}

    static void add() {
        try {
            for (int round = 0; round < 5; round++) {
                int seen = count;
                BOTH.await();
                count = seen + 1; // @write
                BOTH.await();
            }
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread first = new Thread(LostUpdate::add, "adder-1");
        Thread second = new Thread(LostUpdate::add, "adder-2");
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("10 expected: " + count);
    }
}
