// SPDX-License-Identifier: Apache-2.0
//
// Two threads that work in stacks of 30 frames, and 500 that wait in such: how much work is done
// for each second of CPU time. And three parts that take known shares of one thread's time: a loop
// that has safepoints, small loops that have none, and copying, which a stub of the VM does.
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

public class SamplingCost {
    static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
    static volatile long done;
    static volatile long cpuTime;
    static volatile double sink;
    static volatile long polledTime, unpolledTime, copiedTime;
    static final long[] FROM = new long[4096];
    static final long[] TO = new long[4096];

    static double polled(int n) {
        double sum = 0;
        for (long i = 1; i < n; i++) {
            sum += Math.sqrt(i) / (sum + i);
        }
        return sum;
    }

    static double unpolled(int n) {
        double sum = 0;
        for (int i = 1; i < n; i++) {
            sum += Math.sqrt(i) / (sum + i);
        }
        return sum;
    }

    static void copied() {
        System.arraycopy(FROM, 0, TO, 0, FROM.length);
    }

    static double deep(int depth) {
        return depth == 0 ? polled(400) : deep(depth - 1) + 1;
    }

    static void idle(int depth) throws InterruptedException {
        if (depth > 0) {
            idle(depth - 1);
        } else {
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    static void threads() {
        for (int i = 0; i < 500; i++) {
            Thread waiting = new Thread(() -> {
                try {
                    idle(30);
                } catch (InterruptedException error) {
                    throw new IllegalStateException(error);
                }
            });
            waiting.setDaemon(true);
            waiting.start();
        }
        for (int i = 0; i < 2; i++) {
            final boolean counts = i == 0;
            new Thread(() -> {
                for (long round = 0;; round++) {
                    sink = deep(30);
                    if (counts && round % 1000 == 0) {
                        cpuTime = CLOCK.getCurrentThreadCpuTime();
                        done = round;
                    }
                }
            }, "worker").start();
        }
    }

    static void parts() {
        for (;;) {
            long start = System.nanoTime();
            sink = polled(20_000);
            long first = System.nanoTime();
            for (int i = 0; i < 40; i++) {
                sink += unpolled(500);
            }
            long second = System.nanoTime();
            for (int i = 0; i < 200; i++) {
                copied();
            }
            long third = System.nanoTime();
            polledTime += first - start;
            unpolledTime += second - first;
            copiedTime += third - second;
        }
    }

    public static void main(String[] args) {
        if (args[0].equals("threads")) {
            threads();
        } else {
            parts();
        }
    }
}
