// SPDX-License-Identifier: Apache-2.0
package target;

import java.util.ArrayList;
import java.util.List;

/** One of everything that a debugger can ask about, at one stop. */
public class Target {
    static boolean aBoolean = true;
    static byte aByte = -2;
    static char aChar = '\u20ac';
    static short aShort = -300;
    static int anInt = 70_000;
    static long aLong = 1L << 40;
    static float aFloat = 1.5f;
    static double aDouble = -2.25;
    static String aString = "text";
    static String unusual = "a\u0000b\ud83d\ude00\ud800c\u00e9";
    static Object nothing;
    static final int CONSTANT = 5;

    static boolean[] booleans = {true, false};
    static byte[] bytes = {1, -1};
    static char[] chars = {'a', '\uffff'};
    static short[] shorts = {1, -32_768};
    static int[] ints = {1, 2, 3};
    static long[] longs = {1, Long.MIN_VALUE};
    static float[] floats = {0.5f, Float.NaN};
    static double[] doubles = {0.25, Double.NEGATIVE_INFINITY};
    static int[] empty = {};
    static int[] many = new int[100_000];
    static Object[] objects = {"text", null, Thread.currentThread(), new int[1], String.class};
    static String[] strings = {"one", null};
    static int[][] grid = {{1}, {2, 3}};
    static Dog[] dogs = {new Dog("Fido")};

    static Class<?> type = String.class;
    static Class<?> primitive = int.class;
    static ThreadGroup group = Thread.currentThread().getThreadGroup();
    static ClassLoader loader = Target.class.getClassLoader();
    static Object module = String.class.getModule();
    static Thread dead = new Thread(() -> {}, "dead");
    static Thread unstarted = new Thread(() -> {}, "unstarted");
    static Dog dog = new Dog("Rex");
    static Cat cat = new Cat("Tom");
    static final Object lock = new Object();
    static final Object bell = new Object();

    interface Named<T> {
        int LEGS = 4;

        T name();

        default String greeting() {
            return "hello " + name();
        }
    }

    static class Creature {
        private int age = 3;
        protected Object friend;
    }

    static class Dog extends Creature implements Named<String> {
        private final String name;
        private int age = 7;
        long weight = 12;
        List<String> tricks = new ArrayList<>(List.of("sit"));
        Dog self = this;

        Dog(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        int bark(int times) {
            int barked = times;
            return stop(barked, this); // @bark
        }
    }

    static class Cat {
        String name;

        Cat(String name) {
            this.name = name;
        }
    }

    abstract static class Unfinished {
        abstract void work();

        native void help();
    }

    static int stop(int number, Dog argument) {
        boolean flag = true;
        byte small = -8;
        char letter = 'x';
        short shorter = -9;
        long big = 1L << 33;
        float ratio = 0.5f;
        double exact = 0.25;
        String text = "local";
        Object any = lock;
        int[] row = ints;
        if (number > 0) {
            int inner = number + 1;
            Target.anInt += inner;
        }
        Target.aShort++;
        return (int) (number + small + letter + shorter + big + ratio + exact) // @stop
            + text.length() + row.length + (flag ? 1 : 0) + any.hashCode();
    }

    static void await(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state) {
            Thread.sleep(1);
        }
    }

    static Thread start(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    static void contend() {
        synchronized (lock) {
            aBoolean = false;
        }
    }

    static void listen() {
        synchronized (bell) {
            try {
                bell.wait();
            } catch (InterruptedException interrupted) {
                aBoolean = false;
            }
        }
    }

    static void sleep() {
        try {
            Thread.sleep(10_000_000);
        } catch (InterruptedException interrupted) {
            aBoolean = false;
        }
    }

    static int visit(int rounds) {
        int sum = 0;
        for (int round = 0; round < rounds; round++) {
            sum += dog.bark(round);
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        Class.forName("target.Target$Unfinished");
        Class.forName("target.Target$Named");
        dead.start();
        dead.join();
        Thread contender;
        synchronized (lock) {
            contender = start("contender", Target::contend);
            Thread listener = start("listener", Target::listen);
            Thread sleeper = start("sleeper", Target::sleep);
            await(contender, Thread.State.BLOCKED);
            await(listener, Thread.State.WAITING);
            await(sleeper, Thread.State.TIMED_WAITING);
            System.out.println(visit(1000));
        }
    }
}
