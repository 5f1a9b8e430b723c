// SPDX-License-Identifier: Apache-2.0
package checked;

import java.util.concurrent.atomic.AtomicInteger;

/** Loaded again and again, see Late. */
public final class Fresh implements Part {
    private static final class Counted {
        static final AtomicInteger TIMES = new AtomicInteger();
    }

    private static final class Initialized {
        static int value;

        static {
            value = 7;
            Counted.TIMES.incrementAndGet();
        }
    }

    private Fresh() {}

    public static Part make() {
        return new Fresh();
    }

    @Override
    public int pass(int n) {
        if ((n & 1) == 0) {
            return Initialized.value == 7 && Counted.TIMES.get() == 1 ? n : -1;
        }
        Runnable late = () -> Initialized.value = 7;
        late.run();
        return Counted.TIMES.get() == 1 ? n : -2;
    }
}
