// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Method;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;

/**
 * Work of many kinds, timed by itself: what an agent without a debugger costs a program. Prints a line
 * `name nanoseconds-per-operation` for each kind: the least of many repetitions, after a warm-up,
 * since whatever disturbs makes it more. It is the processor's time, so that a machine that is busy
 * with other things matters less: that of the thread, or where virtual threads work, that of all
 * threads of Java (the process's own is counted in ticks of 10 ms). Arguments: the kinds to run.
 */
public final class IdleCost {
    private static final long REPETITION_NS = 15_000_000L;
    private static final int WARM_UP = 15;
    private static final int TIMED = 20;

    private static Set<String> chosen;

    /** One kind of work, in batches of a known size. */
    interface Work {
        long batch() throws Throwable;
    }

    private static long sink;

    private IdleCost() {}

    private static void measure(String name, int operations, LongSupplier clock, Work work)
            throws Throwable {
        if (!chosen.isEmpty() && !chosen.contains(name)) {
            return;
        }
        double least = Double.MAX_VALUE;
        for (int i = 0; i < WARM_UP + TIMED; i++) {
            long start = clock.getAsLong();
            long batches = 0;
            long elapsed;
            do {
                sink += work.batch();
                batches++;
                elapsed = clock.getAsLong() - start;
            } while (elapsed < REPETITION_NS);
            if (i >= WARM_UP) {
                least = Math.min(least, (double) elapsed / batches / operations);
            }
        }
        System.out.println(name + " " + String.format(Locale.ROOT, "%.4f", least));
    }

    // arithmetic

    private static long arithmetic() {
        long x = sink | 1;
        for (int i = 0; i < 100_000; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }

    // allocation

    static final class Node {
        final Node next;
        final int value;

        Node(Node next, int value) {
            this.next = next;
            this.value = value;
        }
    }

    private static final Node[] RING = new Node[1024];

    private static long allocation() {
        for (int i = 0; i < 100_000; i++) {
            RING[i & 1023] = new Node(null, i);
        }
        return RING[7].value;
    }

    // objects that the compiler need not make, since only the method sees them

    private static long shortLived() {
        long sum = 0;
        for (int i = 0; i < 100_000; i++) {
            Node node = new Node(null, i);
            synchronized (node) {
                sum += node.value;
            }
        }
        return sum;
    }

    // exceptions

    static final class Thrown extends Exception {
        private static final long serialVersionUID = 1L;

        Thrown() {
            super(null, null, false, false);
        }
    }

    private static final Thrown THROWN = new Thrown();

    private static int refuse(int value) throws Thrown {
        if (value >= 0) {
            throw THROWN;
        }
        return value;
    }

    private static long fromAnInlinedCall() {
        long sum = 0;
        for (int i = 0; i < 2_000; i++) {
            try {
                sum += refuse(i);
            } catch (Thrown e) {
                sum += i;
            }
        }
        return sum;
    }

    private static long thrownByTheVm() {
        long sum = 0;
        for (int i = 0; i < 2_000; i++) {
            try {
                sum += RING[1024 + (i & 7)].value;
            } catch (ArrayIndexOutOfBoundsException e) {
                sum += i;
            }
        }
        return sum;
    }

    private static int down(int depth, int value) throws Thrown {
        if (depth == 0) {
            throw THROWN;
        }
        return down(depth - 1, value) + 1;
    }

    private static long throughFrames() {
        long sum = 0;
        for (int i = 0; i < 500; i++) {
            try {
                sum += down(8, i);
            } catch (Thrown e) {
                sum += i;
            }
        }
        return sum;
    }

    // locks

    private static final Object LOCK = new Object();
    private static long locked;

    private static long locks() {
        for (int i = 0; i < 50_000; i++) {
            synchronized (LOCK) {
                locked += i;
            }
        }
        return locked;
    }

    // fields and virtual calls

    abstract static class Shape {
        long area;

        abstract long grow(int by);
    }

    static final class Square extends Shape {
        @Override
        long grow(int by) {
            return area += by;
        }
    }

    static final class Circle extends Shape {
        @Override
        long grow(int by) {
            return area += 3L * by;
        }
    }

    static final class Line extends Shape {
        @Override
        long grow(int by) {
            return area ^= by;
        }
    }

    private static final Shape[] SHAPES = {new Square(), new Circle(), new Line(), new Circle()};

    private static long calls() {
        long sum = 0;
        for (int i = 0; i < 100_000; i++) {
            sum += SHAPES[i & 3].grow(i);
        }
        return sum;
    }

    // class loading

    /** The class that is loaded again and again. */
    public static final class Loaded {
        private int count;

        public int increment() {
            return ++count;
        }
    }

    static final class Loader extends ClassLoader {
        Class<?> define(byte[] content) {
            return defineClass("IdleCost$Loaded", content, 0, content.length);
        }
    }

    private static byte[] content() throws IOException {
        try (InputStream in = IdleCost.class.getResourceAsStream("IdleCost$Loaded.class")) {
            return in.readAllBytes();
        }
    }

    private static long loading(byte[] content) {
        long sum = 0;
        for (int i = 0; i < 50; i++) {
            sum += new Loader().define(content).hashCode();
        }
        return sum;
    }

    // virtual threads; by reflection, since the program runs on older VMs too

    private static Method startVirtual() {
        try {
            return Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static long virtualStart(Method start) throws Throwable {
        CountDownLatch done = new CountDownLatch(500);
        for (int i = 0; i < 500; i++) {
            start.invoke(null, (Runnable) done::countDown);
        }
        done.await();
        return done.getCount();
    }

    private static long virtualYield(Method start) throws Throwable {
        Runnable yields = () -> {
            for (int i = 0; i < 2_000; i++) {
                Thread.yield();
            }
        };
        ((Thread) start.invoke(null, yields)).join();
        return 1;
    }

    /** The main thread and the carriers; virtual threads are not counted themselves. */
    private static long ofAllThreads(ThreadMXBean threads) {
        long sum = 0;
        for (long id : threads.getAllThreadIds()) {
            sum += Math.max(0, threads.getThreadCpuTime(id));
        }
        return sum;
    }

    public static void main(String[] args) throws Throwable {
        chosen = Set.of(args);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        LongSupplier ofThread = threads::getCurrentThreadCpuTime;
        LongSupplier ofAll = () -> ofAllThreads(threads);
        measure("arithmetic", 100_000, ofThread, IdleCost::arithmetic);
        measure("allocation", 100_000, ofThread, IdleCost::allocation);
        measure("short-lived", 100_000, ofThread, IdleCost::shortLived);
        measure("calls", 100_000, ofThread, IdleCost::calls);
        measure("locks", 50_000, ofThread, IdleCost::locks);
        measure("inlined-call", 2_000, ofThread, IdleCost::fromAnInlinedCall);
        measure("by-the-vm", 2_000, ofThread, IdleCost::thrownByTheVm);
        measure("through-frames", 500, ofThread, IdleCost::throughFrames);
        byte[] content = content();
        measure("loading", 50, ofThread, () -> loading(content));
        Method start = startVirtual();
        boolean isPreview = System.getProperty("java.specification.version").compareTo("21") < 0;
        if (start != null && !isPreview) {
            measure("virtual-start", 500, ofAll, () -> virtualStart(start));
            measure("virtual-yield", 2_000, ofAll, () -> virtualYield(start));
        }
    }
}
