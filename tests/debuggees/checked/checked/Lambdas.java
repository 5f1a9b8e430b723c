// SPDX-License-Identifier: Apache-2.0
package checked;

import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Lambdas that capture, references to methods, streams. */
final class Lambdas {
    /** An interface with one method that has code. */
    interface Twice {
        default int twice(int n) {
            return n + n;
        }
    }

    private final int base;

    private Lambdas(int base) {
        this.base = base;
    }

    private int plus(int n) {
        return base + n;
    }

    static int pass(int n) {
        int kept = n & 0xff;
        IntUnaryOperator add = a -> a + kept;
        IntUnaryOperator take = a -> a - kept;
        Supplier<Integer> boxed = () -> take.applyAsInt(add.applyAsInt(n));
        Function<Integer, Integer> again = new Lambdas(5)::plus;
        int sum = IntStream.range(0, 4).map(each -> each * kept).filter(each -> each >= 0).sum();
        if (again.apply(n) != n + 5 || sum != 6 * kept || new Twice() { }.twice(kept) != 2 * kept) {
            return -1;
        }
        return boxed.get();
    }
}
