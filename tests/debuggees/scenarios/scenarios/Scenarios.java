// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Scenarios for the tests of events, steps, invocations and suspension; the argument names one. */
public class Scenarios {
    static int count;
    static volatile boolean go;
    static volatile boolean spawn;
    static volatile int progress;
    static final Object lock = new Object();
    static Scenarios first = new Scenarios("first");
    static Scenarios second = new Scenarios("second");

    final String name;
    int field;

    Scenarios(String name) {
        this.name = name;
    }

    /** Initialised by the first invocation only. */
    static class Lazy {
        static int value = compute();

        static int compute() {
            return 42;
        }

        static int get() {
            return value;
        }
    }

    interface Greeter {
        static int twice(int number) {
            return 2 * number;
        }

        default String greet() {
            return "hello";
        }
    }

    static class Base implements Greeter {
        String who() {
            return "base";
        }
    }

    static class Derived extends Base {
        final int number;

        Derived(int number) {
            if (number < 0) {
                throw new IllegalArgumentException("negative");
            }
            this.number = number;
        }

        @Override
        String who() {
            return "derived";
        }
    }

    static int fib(int n) {
        if (n < 2) { // @fib
            return n;
        }
        return fib(n - 1) + fib(n - 2); // @recursion
    }

    static int leaf(int number) {
        int twice = 2 * number; // @leaf
        return twice + 1; // @leafEnd
    }

    static int middle(int number) {
        int result = leaf(number); // @middle
        return result + 1; // @middleEnd
    }

    static void thrower(int depth) {
        if (depth == 0) {
            throw new IllegalStateException("thrown"); // @throw
        }
        thrower(depth - 1);
    }

    static int catcher() {
        int caught = 0;
        try {
            thrower(3); // @callThrower
        } catch (IllegalStateException expected) {
            caught = 1; // @catch
        }
        return caught; // @afterCatch
    }

    static void callback(List<String> list) {
        list.sort((a, b) -> a.compareTo(b)); // @sort
        count++; // @afterSort
    }

    int add(int amount) {
        field += amount; // @add
        return field; // @added
    }

    static long sum(long a, int b, double c, String d, int[] e) {
        return a + b + (long) c + d.length() + e.length;
    }

    static void fail(String message) {
        throw new UnsupportedOperationException(message);
    }

    static void waitUntilReleased() throws InterruptedException {
        while (!go) {
            Thread.sleep(1); // @waiting
        }
    }

    // --- scenarios -------------------------------------------------------------------------------------

    static void steps() {
        count = 1; // @steps
        int value = middle(20); // @callMiddle
        count = fib(15); // @callFib
        count = catcher(); // @callCatcher
        callback(new ArrayList<>(List.of("b", "a", "c"))); // @callCallback
        count = value; // @stepsEnd
    }

    static void loop() {
        for (int i = 0; i < 10; i++) {
            first.add(i); // @loop
            second.add(i);
        }
    }

    static void fields() {
        count = 5; // @writeStatic
        first.field = 7; // @writeField
        int read = first.field; // @readField
        second.field = read;
        count = read + 1; // @writeAgain
    }

    static void exceptions() {
        catcher();
        try {
            fail("other");
        } catch (UnsupportedOperationException expected) {
            count++;
        }
        Thread thread = new Thread(() -> thrower(0), "uncaught");
        thread.setUncaughtExceptionHandler((who, what) -> count++);
        thread.start();
        join(thread);
    }

    static void monitors() throws InterruptedException {
        CountDownLatch ready = new CountDownLatch(1);
        Thread contender;
        synchronized (lock) {
            contender = new Thread(() -> {
                ready.countDown();
                synchronized (lock) {
                    count++;
                }
            }, "contender");
            contender.start();
            ready.await();
            while (contender.getState() != Thread.State.BLOCKED) {
                Thread.sleep(1);
            }
        }
        join(contender);
        synchronized (lock) {
            lock.wait(5);
        }
    }

    static void threads() throws InterruptedException {
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Thread worker = new Thread(() -> {
                while (!go) {
                    progress++;
                }
            }, "worker-" + i);
            worker.start();
            workers.add(worker);
        }
        ready(); // @workersRun
        workers.forEach(Scenarios::join);
    }

    static void ready() {
        count++; // @ready
    }

    static void spawner() throws InterruptedException {
        Thread spawner = new Thread(() -> {
            progress++;
            while (!spawn) {
                Thread.onSpinWait();
            }
            while (!go) {
                Thread child = new Thread(() -> progress++, "child");
                child.start();
                join(child);
            }
        }, "spawner");
        spawner.start();
        while (progress == 0) {
            Thread.onSpinWait();
        }
        ready();
        join(spawner);
    }

    static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    static void unload() throws Exception {
        byte[] code;
        try (InputStream stream = Scenarios.class.getResourceAsStream("Scenarios$Lazy.class")) {
            code = stream.readAllBytes();
        }
        ClassLoader loader = new ClassLoader(Scenarios.class.getClassLoader()) {
            @Override
            public Class<?> loadClass(String name) throws ClassNotFoundException {
                return name.endsWith("$Lazy") ? defineClass(name, code, 0, code.length) : super.loadClass(name);
            }
        };
        WeakReference<Class<?>> loaded =
                new WeakReference<>(Class.forName("scenarios.Scenarios$Lazy", true, loader));
        loader = null;
        ready();
        while (!go) {
            System.gc();
            Thread.sleep(1);
            progress = loaded.get() == null ? 1 : 0; // @collecting
        }
    }

    static void invocations() {
        Object derived = new Derived(1);
        new Base().greet();
        ready();
        count = derived.hashCode();
    }

    public static void main(String[] args) throws Exception {
        switch (args.length == 0 ? "" : args[0]) {
            case "steps":
                steps();
                break;
            case "loop":
                loop();
                break;
            case "fields":
                fields();
                break;
            case "exceptions":
                exceptions();
                break;
            case "monitors":
                monitors();
                break;
            case "threads":
                threads();
                break;
            case "spawner":
                spawner();
                break;
            case "unload":
                unload();
                break;
            case "invocations":
                invocations(); // @callInvocations
                break;
            case "wait":
                waitUntilReleased();
                break;
            default:
                break;
        }
        System.out.println("done " + count);
    }
}
