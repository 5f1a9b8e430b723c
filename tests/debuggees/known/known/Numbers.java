// SPDX-License-Identifier: Apache-2.0
package known;

import static known.Said.text;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/** Boxes, numbers and what counts. */
final class Numbers {
    private Numbers() {}

    static void make() throws InterruptedException {
        for (Object box :
                new Object[] {true, (byte) -3, 'x', (short) 300, 42, 1L << 40, 1.5f, -1e-9, 5e20}) {
            text(box);
        }
        for (String digits : List.of("0", "-1", "4294967296", "-123456789012345678901234567890")) {
            text(new BigInteger(digits));
        }
        for (String digits :
                List.of("0", "1.50", "-0.001", "1E+3", "1.2E-9", "0.0000001", "-12345678901234567890.125")) {
            text(new BigDecimal(digits));
        }
        text(new BigDecimal(BigInteger.valueOf(17), -2));
        text(BigInteger.ONE.shiftLeft(5000).negate());
        text(new BigDecimal(BigInteger.TEN.pow(40), 3));
        text(new BigDecimal("0E+7"));
        text(new BigDecimal("0E-9"));
        for (Object edge :
                new Object[] {
                    Double.NaN, -0.0, Double.NEGATIVE_INFINITY, Double.MIN_VALUE, Double.MAX_VALUE,
                    Float.NaN, -0.0f, Float.POSITIVE_INFINITY, Float.MIN_VALUE, 1e7f, 1e-3f, 100.0,
                    Long.MIN_VALUE, Long.MAX_VALUE, Integer.MIN_VALUE, Short.MIN_VALUE, Byte.MIN_VALUE,
                }) {
            text(edge);
        }
        text(new AtomicLong(Long.MIN_VALUE));
        text(new AtomicInteger(-7));
        text(new AtomicLong(1L << 50));
        text(new AtomicBoolean(true));
        LongAdder adder = new LongAdder();
        DoubleAdder sum = new DoubleAdder();
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] =
                    new Thread(
                            () -> {
                                for (int times = 0; times < 2000; times++) {
                                    adder.add(3);
                                    sum.add(0.5);
                                }
                            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        text(adder);
        text(sum);
    }
}
