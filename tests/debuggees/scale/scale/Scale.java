// SPDX-License-Identifier: Apache-2.0
package scale;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Makes many of something when the debugger orders it: it writes `argument`, then `order`, and
 * waits until `done` says the same number. Outside of orders nothing changes here.
 */
public final class Scale {
    private static final int STACK_DEPTH = 20;

    static volatile int argument;
    static volatile int order;
    static volatile int done;
    static volatile long result;

    static volatile Object[] held;
    static volatile int[] ints;
    static volatile long[] longs;
    static volatile String text;

    private static final List<Thread> threads = new ArrayList<>();
    private static final List<WeakReference<Object>> seen = new ArrayList<>();
    private static final List<Loader> loaders = new ArrayList<>();
    private static CountDownLatch end = new CountDownLatch(1);
    private static int classNumber;

    private Scale() {}

    static final class Payload {}

    public static void main(String[] arguments) throws Exception {
        System.out.println("ready");
        while (true) {
            int wanted = order;
            if (wanted == done) {
                Thread.sleep(1);
                continue;
            }
            obey(wanted & 0xff, argument);
            done = wanted;
        }
    }

    private static void obey(int what, int count) throws Exception {
        switch (what) {
            case 1: start(count, false); break;
            case 2: start(count, true); break;
            case 3: define(count); break;
            case 4: dive(count); break;
            case 5: hold(count); break;
            case 6: drop(); break;
            case 7: finish(); break;
            case 8: churn(count); break;
            case 9: text = repeat(count); break;
            case 10: fill(count); break;
            case 11: visit(count); break; // a place for breakpoints and steps
            case 12: linger(count); break;
            default: throw new IllegalArgumentException("order " + what);
        }
    }

    private static void start(int count, boolean virtual) throws Exception {
        CountDownLatch running = new CountDownLatch(count);
        CountDownLatch ending = end;
        Runnable body = () -> descend(STACK_DEPTH, running, ending);
        for (int index = 0; index < count; ++index) {
            threads.add(begin(body, virtual));
        }
        running.await();
    }

    private static Thread begin(Runnable body, boolean virtual) throws Exception {
        if (virtual) { // reflection: this is compiled for Java 11
            return (Thread)
                    Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, body);
        }
        Thread thread = new Thread(null, body, "scale", 1 << 18);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void descend(int depth, CountDownLatch running, CountDownLatch ending) {
        if (depth > 0) {
            descend(depth - 1, running, ending);
            return;
        }
        running.countDown();
        try {
            ending.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static void dive(int depth) throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch ending = end;
        Thread diver =
                new Thread(null, () -> descend(depth, running, ending), "diver", 1L << 28);
        diver.setDaemon(true);
        diver.start();
        threads.add(diver);
        running.await();
    }

    private static void finish() throws InterruptedException {
        end.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        threads.clear();
        end = new CountDownLatch(1);
    }

    private static void churn(int count) throws Exception {
        seen.clear();
        for (int index = 0; index < count; ++index) {
            Thread thread = new Thread(() -> {}, "short");
            seen.add(new WeakReference<>(thread));
            thread.start();
            thread.join();
        }
    }

    /** Threads that meet one more event after their last: their own monitor is taken. */
    private static void linger(int count) throws Exception {
        seen.clear();
        for (int index = 0; index < count; ++index) {
            Thread thread = new Thread(() -> {}, "lingers");
            seen.add(new WeakReference<>(thread));
            synchronized (thread) {
                thread.start();
                while (thread.getState() != Thread.State.BLOCKED) {
                    Thread.onSpinWait();
                }
            }
            thread.join();
        }
    }

    private static void hold(int count) {
        Object[] all = new Object[count];
        seen.clear();
        for (int index = 0; index < count; ++index) {
            all[index] = new Payload();
            seen.add(new WeakReference<>(all[index]));
        }
        held = all;
    }

    private static void drop() {
        held = null;
        System.gc();
        result = seen.stream().filter(reference -> reference.get() != null).count();
    }

    private static void fill(int count) {
        int[] numbers = new int[count];
        long[] wide = new long[count];
        for (int index = 0; index < count; ++index) {
            numbers[index] = index;
            wide[index] = index;
        }
        ints = numbers;
        longs = wide;
    }

    private static String repeat(int count) {
        return "\u00e9".repeat(count); // two bytes each on the wire
    }

    static int visit(int count) {
        int sum = 0; // @visit
        for (int index = 0; index < count; ++index) {
            sum += twice(index); // @loop
        }
        return sum;
    }

    static int twice(int number) {
        return number + number; // @twice
    }

    private static void define(int count) throws IOException {
        Loader loader = new Loader();
        loaders.add(loader);
        for (int index = 0; index < count; ++index) {
            loader.define("many.Made" + classNumber++);
        }
    }

    /** Defines empty classes that are prepared at once. */
    private static final class Loader extends ClassLoader {
        void define(String name) throws IOException {
            byte[] bytes = emptyClass(name.replace('.', '/'));
            // An array of it, or its initialiser, would prepare it too; this is the cheapest way.
            resolveClass(defineClass(name, bytes, 0, bytes.length));
            try {
                Class.forName(name, true, this);
            } catch (ClassNotFoundException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    private static byte[] emptyClass(String internalName) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xcafebabe);
        out.writeInt(55);
        out.writeShort(5);
        out.writeByte(1);
        out.writeUTF(internalName);
        out.writeByte(7);
        out.writeShort(1);
        out.writeByte(1);
        out.writeUTF("java/lang/Object");
        out.writeByte(7);
        out.writeShort(3);
        out.writeShort(0x21);
        out.writeShort(2);
        out.writeShort(4);
        for (int none = 0; none < 4; ++none) {
            out.writeShort(0);
        }
        return bytes.toByteArray();
    }
}
