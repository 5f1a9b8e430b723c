// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.util.ArrayList;
import java.util.List;

/** Three threads that count, one that parks, and scenarios for invocations and changed stacks. */
public class ManyThreads {
    static String next = "nothing";
    static int count;
    static volatile boolean go;
    static volatile boolean wanted;
    static volatile boolean entered;
    static final int[] progress = new int[3];
    static final Object lock = new Object();
    static final List<String> seen = new ArrayList<>();
    static Thread unstarted = new Thread(() -> count++, "unstarted");
    static Thread ended = new Thread(() -> count++, "ended");
    static Derived derived;
    static Base base;
    static Polite polite;
    static Thread resumed;

    interface Greeter {
        static int twice(int number) {
            return 2 * number;
        }

        default String greet() {
            return "hello";
        }

        String who();
    }

    interface PoliteGreeter extends Greeter {
        static int thrice(int number) {
            return 3 * number;
        }
    }

    abstract static class Polite implements PoliteGreeter {
        static int four(int number) {
            return 4 * number;
        }
    }

    static class MorePolite extends Polite {
        @Override
        public String who() {
            return "more polite";
        }
    }

    static class Base implements Greeter {
        int number = 1;

        @Override
        public String who() {
            return "base";
        }

        private int hidden() {
            return number;
        }

        int itself(Base other) {
            return other.number;
        }
    }

    static class Derived extends Base {
        Derived(int number) {
            if (number < 0) {
                throw new IllegalArgumentException("negative");
            }
            this.number = number;
        }

        @Override
        public String who() {
            return "derived";
        }

        @Override
        public String greet() {
            return "derived hello";
        }
    }

    static class Lazy {
        static int value = 42;

        static int get() {
            return value;
        }
    }

    static class Broken {
        static int value = fail("in the initialiser");

        static int get() {
            return value;
        }
    }

    // --- to be invoked --------------------------------------------------------------------------

    static int add(int a, int b) {
        int sum = a + b; // @add
        return sum; // @added
    }

    static Object same(Object given) {
        return given;
    }

    static Base sameBase(Base given) {
        return given;
    }

    static int[] sameArray(int[] given) {
        return given;
    }

    static String all(boolean z, byte b, char c, short s, int i, long j, float f, double d, String text) {
        return z + " " + b + " " + c + " " + s + " " + i + " " + j + " " + f + " " + d + " " + text;
    }

    static int fail(String message) {
        throw new UnsupportedOperationException(message);
    }

    static Object failObject() {
        throw new IllegalStateException("no object");
    }

    static void failVoid() {
        throw new Error("no void");
    }

    static int waitForOthers() throws InterruptedException {
        int before = progress[0] + progress[1] + progress[2];
        while (progress[0] + progress[1] + progress[2] == before) {
            Thread.sleep(1);
        }
        return 7;
    }

    static int waitUntilWanted() throws InterruptedException {
        entered = true;
        while (!wanted) {
            Thread.sleep(1); // @wanted
        }
        entered = false;
        wanted = false;
        return 8; // @wantedEnd
    }

    static boolean interrupted() {
        return Thread.interrupted();
    }

    // --- stacks to be changed -------------------------------------------------------------------

    static boolean aBoolean() {
        return false; // @aBoolean
    }

    static byte aByte() {
        return 0; // @aByte
    }

    static char aChar() {
        return 0; // @aChar
    }

    static short aShort() {
        return 0; // @aShort
    }

    static int anInt() {
        return 0; // @anInt
    }

    static long aLong() {
        return 0; // @aLong
    }

    static float aFloat() {
        return 0; // @aFloat
    }

    static double aDouble() {
        return 0; // @aDouble
    }

    static Object anObject() {
        return null; // @anObject
    }

    static String aString() {
        return null; // @aString
    }

    static Base aBase() {
        return null; // @aBase
    }

    static void aVoid() {
        count = 100; // @aVoid
    }

    static void returns() {
        see(aBoolean()); // @returns
        see((int) aByte());
        see((int) aChar());
        see((int) aShort());
        see(anInt());
        see(aLong());
        see(aFloat());
        see(aDouble());
        see(anObject());
        see(aString());
        see(aBase());
        aVoid();
        see(count);
        returned(); // @returnsEnd
    }

    static void see(Object value) {
        seen.add(String.valueOf(value instanceof Base ? "a base" : value));
    }

    static void returned() {
        String text = String.join(" ", seen);
        seen.clear();
        report(text);
    }

    static void report(String text) {
        count = text.length(); // @report
    }

    static int deep(int depth) {
        if (depth > 0) {
            return deep(depth - 1) + 1; // @deep
        }
        synchronized (lock) {
            count++; // @deepest
        }
        return 0; // @deepEnd
    }

    static void stack() {
        try {
            count = deep(2); // @stack
        } catch (RuntimeException stopped) {
            count = -1; // @stopped
        }
    }

    public static int reflected() {
        return 1; // @reflected
    }

    static void throughNative() throws Exception {
        Object result = ManyThreads.class.getMethod("reflected").invoke(null); // @throughNative
        count = (Integer) result;
    }

    static void spawn() throws InterruptedException {
        Thread child = new Thread(() -> count++, "child"); // @spawn
        child.start(); // @spawned
        child.join(); // @joining
    }

    // --- the scenarios -------------------------------------------------------------------------------

    static void run(String scenario) throws Exception {
        switch (scenario) {
            case "returns":
                returns();
                break;
            case "stack":
                stack();
                break;
            case "throughNative":
                throughNative();
                break;
            case "spawn":
                spawn();
                break;
            case "everyone":
                waitForOthers();
                break;
            case "programResumes":
                programResumes();
                break;
            default:
                break;
        }
    }

    /** What JDK 19 and older can do: a program that suspends and resumes a thread. */
    @SuppressWarnings({"deprecation", "removal"})
    static void programResumes() {
        resumed.resume(); // @programResumes
        count++; // @programResumed
        resumed.suspend();
        count++; // @programSuspended
        resumed.resume();
        count++; // @programResumedAgain
    }

    static void stop() {
        count = 0; // @stop
    }

    static void work(int number) {
        while (!go) {
            progress[number]++; // @work
            Thread.yield();
        }
    }

    public static void main(String[] args) throws Exception {
        ended.start();
        ended.join();
        derived = new Derived(5);
        base = new Base();
        polite = new MorePolite();
        Class.forName("scenarios.ManyThreads$Greeter");
        for (int i = 0; i < progress.length; i++) {
            int number = i;
            Thread worker = new Thread(() -> work(number), "worker-" + i);
            worker.setDaemon(true);
            worker.start();
            resumed = worker;
        }
        while (!next.equals("end")) {
            stop();
            run(next);
            Thread.interrupted(); // what a debugger has left behind
        }
    }
}
