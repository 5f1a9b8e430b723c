// SPDX-License-Identifier: Apache-2.0

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Prints the processor time of a pass of a hot loop, which makes six records of primitive values,
 * and of a request of a small shop ({@link CoverageCost}), in nanoseconds, when all is compiled.
 */
public class RecordingCost {
  static long hot(int passes) {
    long sum = passes;
    int mixed = 1;
    for (int i = 0; i < passes; i++) {
      mixed = mixed * 31 + i;
      sum ^= mixed;
    }
    return sum;
  }

  public static void main(String[] args) {
    int passes = Integer.parseInt(args[0]);
    int requests = Integer.parseInt(args[1]);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      text.append((char) ('a' + i % 26)).append("item").append(i % 17).append(',');
      text.append(i * 37 % 991).append(',').append(i % 9).append(';');
    }
    CoverageCost.Rule[] rules = {new CoverageCost.Discount(), new CoverageCost.Tax()};
    long found = 0;
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long best = Long.MAX_VALUE;
    for (int part = 0; part < 10; part++) {
      long before = threads.getCurrentThreadCpuTime();
      for (int i = 0; i < passes / 1000; i++) {
        found += hot(1000);
      }
      best = Math.min(best, (threads.getCurrentThreadCpuTime() - before) * 100 / passes);
    }
    System.out.println("hot " + best / 100.0);
    best = Long.MAX_VALUE;
    for (int part = 0; part < 10; part++) {
      long before = threads.getCurrentThreadCpuTime();
      for (int i = 0; i < requests; i++) {
        found += CoverageCost.round(text.toString(), rules);
      }
      best = Math.min(best, (threads.getCurrentThreadCpuTime() - before) / requests);
    }
    System.out.println("request " + best);
    System.out.println("found " + found);
  }
}
