// SPDX-License-Identifier: Apache-2.0

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntToLongFunction;

/**
 * Prints the processor time, in nanoseconds, of a pass of a hot loop, which makes six records of
 * primitive values, of a request of business code ({@link Orders}), and of reading a text character
 * by character ({@link CoverageCost}). All is compiled when it is measured; then there are pauses,
 * in which what was recorded is read.
 */
public class RecordingCost {
  private static final long WARM_NS = 3_000_000_000L;
  private static final int PARTS = 4;
  private static final int BURSTS = 4;
  private static final int PAUSE_NS = 400_000_000;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  static long hot(int passes) {
    long sum = passes;
    int mixed = 1;
    for (int i = 0; i < passes; i++) {
      mixed = mixed * 31 + i;
      sum ^= mixed;
    }
    return sum;
  }

  static long orders(Orders orders, int count) {
    long found = 0;
    for (int i = 0; i < count; i++) {
      found += orders.order("3:2,8:1,21:7,40:1,17:12,5:3").length();
    }
    return found;
  }

  static long parsing(String text, CoverageCost.Rule[] rules, int count) {
    long found = 0;
    for (int i = 0; i < count; i++) {
      found += CoverageCost.round(text, rules);
    }
    return found;
  }

  private static void measure(String name, int burst, int factor, IntToLongFunction work) {
    long found = 0;
    for (long begun = System.nanoTime(); System.nanoTime() - begun < WARM_NS; ) {
      found += work.applyAsLong(burst);
    }
    double best = Double.MAX_VALUE;
    for (int part = 0; part < PARTS; part++) {
      long used = 0;
      for (int each = 0; each < BURSTS; each++) {
        LockSupport.parkNanos(PAUSE_NS);
        long before = THREADS.getCurrentThreadCpuTime();
        found += work.applyAsLong(burst);
        used += THREADS.getCurrentThreadCpuTime() - before;
      }
      best = Math.min(best, (double) used / burst / factor / BURSTS);
    }
    System.out.println(name + " " + best);
    System.out.println("found " + found);
  }

  public static void main(String[] args) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      text.append((char) ('a' + i % 26)).append("item").append(i % 17).append(',');
      text.append(i * 37 % 991).append(',').append(i % 9).append(';');
    }
    String parsed = text.toString();
    CoverageCost.Rule[] rules = {new CoverageCost.Discount(), new CoverageCost.Tax()};
    Orders orders = new Orders();
    measure("hot", 100, 1000, count -> {
      long found = 0;
      for (int i = 0; i < count; i++) {
        found += hot(1000);
      }
      return found;
    });
    measure("request", 500, 1, count -> orders(orders, count));
    measure("parsing", 500, 1, count -> parsing(parsed, rules, count));
  }
}
