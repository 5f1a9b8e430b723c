// SPDX-License-Identifier: Apache-2.0
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Submits 10,000 tasks a second to a pool, below stacks of a given depth, and prints the processor
 * time of the two threads for a task, in nanoseconds.
 */
public class OriginsCost {
  private static final int PERIOD_NS = 1_000_000;
  private static final int IN_PERIOD = 10;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final AtomicLong RAN = new AtomicLong();

  public static void main(String[] args) throws Exception {
    int seconds = Integer.parseInt(args[0]);
    ExecutorService pool = Executors.newFixedThreadPool(1);
    for (int depth : new int[] {10, 40}) {
      below(depth, pool, seconds); // compiles
      System.out.println("depth-" + depth + " " + below(depth, pool, seconds));
    }
    System.in.read(); // until the debugger has asked what it wants
    pool.shutdown();
  }

  private static long below(int depth, ExecutorService pool, int seconds) throws Exception {
    return depth == 0 ? measure(pool, seconds) : below(depth - 1, pool, seconds);
  }

  private static long measure(ExecutorService pool, int seconds) throws Exception {
    long before = used(pool);
    long tasks = 0;
    long begun = System.nanoTime();
    for (long next = begun; next < begun + seconds * 1_000_000_000L; next += PERIOD_NS) {
      for (int i = 0; i < IN_PERIOD; i++) {
        pool.execute(RAN::incrementAndGet);
        tasks++;
      }
      LockSupport.parkNanos(next + PERIOD_NS - System.nanoTime());
    }
    return (used(pool) - before) / tasks;
  }

  private static long used(ExecutorService pool) throws Exception {
    Future<Long> of = pool.submit(THREADS::getCurrentThreadCpuTime);
    return THREADS.getCurrentThreadCpuTime() + of.get();
  }
}
