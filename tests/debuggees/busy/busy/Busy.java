// SPDX-License-Identifier: Apache-2.0
package busy;

import java.util.ArrayList;
import java.util.List;

/**
 * A program that does everything at once until its input ends: sums on several threads, locks,
 * exceptions, classes that come and go, garbage, threads of both kinds. Its workers check what they
 * compute, and their data must not change. The scratches are there to be changed.
 */
public final class Busy {
    static volatile boolean over;
    /** Grows while the workers do. */
    static volatile long progress;

    private Busy() {}

    public static void main(String[] args) throws Exception {
        List<Worker> workers = new ArrayList<>();
        Ledger ledger = new Ledger();
        for (int number = 0; number < 2; ++number) {
            workers.add(new Worker.Summing(number));
            workers.add(new Worker.Booking(ledger));
        }
        workers.add(new Worker.Throwing());
        workers.add(new Worker.Loading());
        workers.add(new Worker.Starting());
        List<Thread> threads = new ArrayList<>();
        for (Worker worker : workers) {
            threads.add(new Thread(worker, "worker-" + worker.name()));
        }
        for (int number = 0; number < 2; ++number) {
            Thread scratch = new Thread(new Scratch(number), "scratch-" + number);
            scratch.setDaemon(true);
            threads.add(scratch);
        }
        threads.forEach(Thread::start);
        System.out.println("at work");
        while (System.in.read() >= 0) {
            Thread.onSpinWait();
        }
        over = true;
        ledger.wake();
        boolean right = true;
        for (int index = 0; index < workers.size(); ++index) {
            threads.get(index).join();
            right &= workers.get(index).isRight();
        }
        right &= ledger.isBalanced();
        System.out.println(right ? "all sums are right" : "WRONG");
        System.exit(right ? 0 : 3);
    }
}
