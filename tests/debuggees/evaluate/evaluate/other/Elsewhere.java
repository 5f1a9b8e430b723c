// SPDX-License-Identifier: Apache-2.0
package evaluate.other;

import java.util.concurrent.atomic.AtomicInteger;

/** Another package: nothing of `evaluate` is visible by its simple name. */
public class Elsewhere {
    public int shared = 31;
    private static int hits;

    public static void start() {
        AtomicInteger atomic = new AtomicInteger(4);
        Object untyped = new Elsewhere();
        hits = atomic.incrementAndGet();
        System.out.println(untyped); // @elsewhere
    }

    int own() {
        return shared + 1;
    }

    static class Unused {
        static int loadedLate = 5;
    }
}
