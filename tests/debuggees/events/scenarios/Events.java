// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/** Scenarios in which something happens; the debugger names the next one at `stop`. */
public class Events {
    static String next = "nothing";
    static int count;
    /** Both are resolved here once: the first time runs code of the class loader. */
    static final int RESOLVED = Math.max(System.identityHashCode(null), 1);
    static volatile int progress;
    static volatile boolean go;
    static final Object lock = new Object();
    static final Events first = new Events();
    static final Events second = new Events();
    static final Stranger stranger = new Stranger();
    static final Changed changed = new Changed();
    static Class<?> unlinked;
    static Class<?> circled;
    static Class<?> held;

    int field;
    String text;

    static class Stranger {
        void write(Events target, int value) {
            target.field = value; // @strangerWrite
        }

        int read(Events target) {
            return target.field; // @strangerRead
        }
    }

    // --- several things at one place ------------------------------------------------------------

    public static int entered(int number) {
        return number + 1; // @entered
    }

    static void colocated() {
        count = 1; // @colocated
        count = entered(count); // @callEntered
        count = entered(count); // @callAgain
        count++; // @colocatedEnd
    }

    static void loop() {
        for (int i = 0; i < 6; i++) {
            first.add(i); // @loop
            second.add(i);
        }
    }

    void add(int amount) {
        count += amount; // @add
    }

    // --- fields ---------------------------------------------------------------------------------

    static void fields() {
        count = 5; // @fields
        first.field = 7; // @writeField
        int read = first.field; // @readField
        second.field = read + count; // @writeSecond
        stranger.write(first, 1); // @callWrite
        count = stranger.read(second); // @callRead
        first.text = "text"; // @writeText
        first.text = null; // @writeNull
        first.field++; // @increment
        read = count; // @readStatic
    }

    // --- what methods return --------------------------------------------------------------------

    static boolean aBoolean() {
        return true;
    }

    static byte aByte() {
        return -1;
    }

    static char aChar() {
        return 'x';
    }

    static short aShort() {
        return -300;
    }

    static int anInt() {
        return 1 << 30;
    }

    static long aLong() {
        return 1L << 40;
    }

    static float aFloat() {
        return 1.5f;
    }

    static double aDouble() {
        return -2.5;
    }

    static String aString() {
        return "a string";
    }

    static Object anObject() {
        return first;
    }

    static Object nothing() {
        return null;
    }

    static int[] anArray() {
        return new int[3];
    }

    static Thread aThread() {
        return Thread.currentThread();
    }

    static Class<?> aClass() {
        return Events.class;
    }

    static void aVoid() {}

    static int throwing() {
        throw new IllegalArgumentException("no return");
    }

    static void returns() {
        aBoolean(); // @returns
        aByte();
        aChar();
        aShort();
        anInt();
        aLong();
        aFloat();
        aDouble();
        aString();
        anObject();
        nothing();
        anArray();
        aThread();
        aClass();
        aVoid();
        try {
            throwing();
        } catch (IllegalArgumentException expected) {
            count++; // @returnsEnd
        }
        Math.max(System.identityHashCode(null), 1);
    }

    // --- exceptions -----------------------------------------------------------------------------

    static class Special extends IllegalStateException {
        private static final long serialVersionUID = 1;
    }

    public static void failing(boolean special) {
        if (special) {
            throw new Special(); // @throwSpecial
        }
        throw new IllegalStateException("plain"); // @throwPlain
    }

    static void attempt(boolean special) {
        try {
            failing(special);
        } catch (IllegalStateException expected) {
            count++; // @attemptCatch
        }
    }

    static void exceptions() throws Exception {
        attempt(false); // @exceptions
        attempt(true);
        try {
            Events.class.getMethod("failing", boolean.class).invoke(null, true); // @reflected
        } catch (java.lang.reflect.InvocationTargetException expected) {
            count++;
        }
        try {
            count = 1 / (count - count); // @divide
        } catch (ArithmeticException expected) {
            count++;
        }
        Thread thread = new Thread(() -> failing(true), "uncaught");
        thread.setUncaughtExceptionHandler((who, what) -> count++);
        thread.start();
        thread.join();
    }

    // --- classes --------------------------------------------------------------------------------

    static class Loaded {
        static int value = entered(1);
    }

    interface Face {
        int CONSTANT = entered(2);
    }

    static class Faced extends Loaded implements Face {}

    /** Defines that class of this package itself, with the code of Loaded; the rest is its parent's. */
    static ClassLoader loaderOf(String own) throws Exception {
        byte[] code;
        try (InputStream stream = Events.class.getResourceAsStream("Events$Loaded.class")) {
            String text = new String(stream.readAllBytes(), StandardCharsets.ISO_8859_1);
            // As long as the name that it replaces, so it is a class file still.
            code = text.replace("Events$Loaded", own).getBytes(StandardCharsets.ISO_8859_1);
        }
        return new ClassLoader(Events.class.getClassLoader()) {
            @Override
            public Class<?> loadClass(String name) throws ClassNotFoundException {
                return name.equals("scenarios." + own)
                        ? defineClass(name, code, 0, code.length)
                        : super.loadClass(name);
            }
        };
    }

    static void classes() throws Exception {
        Class.forName("scenarios.Events$Loaded", true, loaderOf("Events$Loaded")); // @classes
    }

    static void firstUse() {
        count = new Faced().hashCode(); // @firstUse
    }

    /** A class of which nothing is left when this is over; six letters follow the dollar sign. */
    static void unload(String own) throws Exception {
        held = Class.forName("scenarios." + own, true, loaderOf(own));
        WeakReference<Class<?>> loaded = new WeakReference<>(held);
        loadedForAWhile(); // @unload
        held = null;
        while (loaded.get() != null) {
            System.gc();
        }
        gone();
    }

    static void loadedForAWhile() {
        count++; // @loadedForAWhile
    }

    static void gone() {
        count++; // @gone
    }

    // --- threads and monitors -------------------------------------------------------------------

    static void threads() throws InterruptedException {
        Thread thread = new Thread(() -> entered(1), "short-lived"); // @threads
        thread.start();
        awaitEnd(thread);
    }

    /** Unlike join() it does not wait on the thread's monitor. */
    static void awaitEnd(Thread thread) {
        while (thread.isAlive()) {
            Thread.onSpinWait();
        }
    }

    static void monitors() throws InterruptedException {
        CountDownLatch ready = new CountDownLatch(1);
        Thread contender = new Thread(() -> {
            ready.countDown();
            synchronized (lock) { // @contend
                count++;
            }
        }, "contender");
        synchronized (lock) {
            contender.start();
            ready.await();
            while (contender.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
        }
        awaitEnd(contender);
    }

    static void waiting() throws InterruptedException {
        synchronized (lock) {
            lock.wait(3); // @wait
        }
        Thread waiter = new Thread(() -> {
            synchronized (lock) {
                progress = 1;
                try {
                    lock.wait(); // @waitForever
                } catch (InterruptedException interrupted) {
                    count++;
                }
            }
        }, "waiter");
        progress = 0;
        waiter.start();
        while (progress == 0 || waiter.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        synchronized (lock) {
            lock.notifyAll();
        }
        awaitEnd(waiter);
    }

    // --- the scenarios -------------------------------------------------------------------------------

    static void run(String scenario) throws Exception {
        if (scenario.startsWith("unload ")) {
            unload(scenario.substring(7));
            return;
        }
        switch (scenario) {
            case "colocated":
                colocated();
                break;
            case "loop":
                loop();
                break;
            case "fields":
                fields();
                break;
            case "returns":
                returns();
                break;
            case "exceptions":
                exceptions();
                break;
            case "classes":
                classes();
                break;
            case "firstUse":
                firstUse();
                break;
            case "hidden":
                Hidden.prepare(); // @hidden
                break;
            case "unloadHidden":
                Hidden.unload(); // @unloadHidden
                break;
            case "threads":
                threads();
                break;
            case "monitors":
                monitors();
                break;
            case "waiting":
                waiting();
                break;
            case "end":
                return;
            default:
                break;
        }
    }

    static void stop() {
        count = 0; // @stop
    }

    public static void main(String[] args) throws Exception {
        unlinked = Class.forName("scenarios.ChangeU", false, Events.class.getClassLoader());
        circled = Class.forName("scenarios.Circled", true, new Circling());
        while (!next.equals("end")) {
            stop();
            run(next);
        }
    }
}
