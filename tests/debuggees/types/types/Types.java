// SPDX-License-Identifier: Apache-2.0
package types;

import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;

/** Every kind of type, object and thread that the wire knows, at one stop. */
public class Types {
    // --- types --------------------------------------------------------------------------------------

    static class Box<T extends Comparable<? super T> & Serializable, U> implements Supplier<T> {
        static final Map<String, List<int[]>> NAMES = Map.of();
        protected transient T content;
        volatile U[] others;
        List<? extends Map<T, ? super U>> maps;

        @SafeVarargs
        Box(T content, U... others) {
            this.content = content;
            this.others = others;
        }

        @Override
        public T get() {
            return content;
        }

        <X extends Exception, V> V through(Function<? super T, V> function, X unused) throws X {
            List<V> results = new ArrayList<>();
            results.add(function.apply(content));
            return results.get(0);
        }
    }

    enum Planet {
        EARTH(1.0),
        MARS(0.1) {
            @Override
            boolean isRed() {
                return true;
            }
        };

        final double mass;

        Planet(double mass) {
            this.mass = mass;
        }

        boolean isRed() {
            return false;
        }
    }

    record Point<N extends Number>(N x, N y) implements Comparable<Point<N>> {
        static int made;

        Point {
            made++;
        }

        @Override
        public int compareTo(Point<N> other) {
            return Double.compare(x.doubleValue(), other.x.doubleValue());
        }
    }

    sealed interface Shape permits Circle, Square, Extended {
        int SIDES = Integer.parseInt("4");

        double area();

        default String described() {
            return prefix() + area();
        }

        static Shape unit() {
            return new Square(1);
        }

        private String prefix() {
            return "area ";
        }
    }

    static final class Circle implements Shape {
        public double area() {
            return Math.PI;
        }
    }

    static non-sealed class Square implements Shape {
        final double side;

        Square(double side) {
            this.side = side;
        }

        public double area() {
            return side * side;
        }
    }

    @interface Marked {
        int value() default 7;

        String[] names() default {};
    }

    non-sealed interface Extended extends Shape, Serializable {}

    @Marked(9)
    abstract static class Root {
        static int inherited = 11;
        static final long CONSTANT = 12L;
        protected int number = 13;
        private String hidden = "root";

        abstract int work();

        native int help(long one, double two);

        static native void still();

        synchronized strictfp double exact(double one, long two, int[] three, Object... four) {
            double sum = one + two; // @exact
            for (int each : three) {
                long twice = each * 2L;
                sum += twice;
            }
            return sum + four.length;
        }

        static void empty() {}
    }

    static class Leaf extends Root implements Cloneable {
        private String hidden = "leaf";
        static Object shared = "shared";
        final int[] row = {1, 2};

        @Override
        int work() {
            class Local {
                int value = number;
            }
            Runnable anonymous = new Runnable() {
                @Override
                public void run() {
                    number += new Local().value;
                }
            };
            anonymous.run();
            return number;
        }

        String describe() {
            return hidden;
        }

        class Inner {
            class Innermost {
                Leaf outer() {
                    return Leaf.this;
                }
            }
        }

        private static class Secret {}

        interface Nested {}
    }

    static class Primitives {
        static boolean z = true;
        static byte b = -128;
        static char c = '\uffff';
        static short s = -32_768;
        static int i = Integer.MIN_VALUE;
        static long j = Long.MAX_VALUE;
        static float f = Float.NaN;
        static double d = -0.0;
        boolean iz = false;
        byte ib = 127;
        char ic = 0;
        short is = 32_767;
        int ii = 70_000;
        long ij = Long.MIN_VALUE;
        float jf = Float.POSITIVE_INFINITY;
        double id = Double.MIN_VALUE;
    }

    static class Prepared {
        static int value = Integer.parseInt("3");
    }

    static class Unlinked extends Prepared implements Cloneable {
        int field;
        static String shared;

        void method() {}
    }

    static class Broken {
        static int value = fail();

        static int fail() {
            throw new IllegalStateException("broken on purpose");
        }
    }

    static class Counted {
        Object next;
    }

    static class Uncounted {}

    // --- objects ------------------------------------------------------------------------------------

    static boolean[] booleans = {true, false};
    static byte[] bytes = {-1};
    static char[] chars = {'a'};
    static short[] shorts = {5};
    static int[] ints = {1, 2, 3};
    static long[] longs = {7};
    static float[] floats = {Float.NaN, -0.0f};
    static double[] doubles = {Double.NEGATIVE_INFINITY};
    static Object[] objects = {"text", null, Thread.currentThread(), new int[1], String.class, null, null};
    static String[] strings = {"one", null};
    static int[][] grid = {{1}, null, {2, 3}};
    static Object[] storeless = new String[2];
    static List<?>[][][] deep = new List<?>[1][2][];
    static Point<?>[] points = {new Point<>(1, 2)};
    static int[] empty = {};

    static Box<String, Integer> box = new Box<>("content", 1, 2);
    static Planet planet = Planet.MARS;
    static Point<Integer> point = new Point<>(3, 4);
    static Shape shape = new Circle();
    static Leaf leaf = new Leaf();
    static Leaf.Inner.Innermost innermost = leaf.new Inner().new Innermost();
    static Primitives primitives = new Primitives();
    static Comparator<String> lambda = (one, other) -> one.length() - other.length();
    static Supplier<Object> reference = Object::new;
    static Object hidden;
    static Object proxy;
    static Object twin;
    static Counted[] counted = {new Counted(), new Counted(), new Counted()};
    static String text = "text";
    static String unusual = "a\u0000b\ud83d\ude00\ud800c\u00e9";
    static String blank = "";
    static Object lock = new Object();
    static Object outer = new Object();
    static Object bell = new Object();
    static Object unnotified = new Object();
    static Class<?> primitiveClass = int.class;
    static Class<?> voidClass = void.class;
    static Class<?> arrayClass = int[][].class;
    static Class<?> unlinked;
    static ClassLoader loader = Types.class.getClassLoader();
    static ClassLoader platform = ClassLoader.getPlatformClassLoader();
    static ClassLoader definer;
    static Module named = String.class.getModule();
    static Module unnamed = Types.class.getModule();
    static ThreadGroup group = new ThreadGroup("group");
    static ThreadGroup child = new ThreadGroup(group, "child");
    static Thread main = Thread.currentThread();
    static Thread dead = new Thread(group, () -> {}, "dead");
    static Thread unstarted = new Thread(group, () -> {}, "unstarted");
    static Throwable error = new Error("error");
    static Object lost = new Object();
    static WeakReference<Object> gone;
    static volatile boolean go;

    // --- threads ------------------------------------------------------------------------------------

    static void await(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state) {
            Thread.sleep(1);
        }
    }

    static Thread start(String name, Runnable body) {
        Thread thread = new Thread(child, body, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    static void contend() {
        synchronized (bell) {
            synchronized (lock) {
                go = true;
            }
        }
    }

    static void listen() {
        synchronized (unnotified) {
            try {
                unnotified.wait();
            } catch (InterruptedException interrupted) {
                go = true;
            }
        }
    }

    static void linger() {
        synchronized (unnotified) {
            try {
                unnotified.wait(10_000_000);
            } catch (InterruptedException interrupted) {
                go = true;
            }
        }
    }

    static void sleep() {
        try {
            Thread.sleep(10_000_000);
        } catch (InterruptedException interrupted) {
            go = true;
        }
    }

    // --- the stop -----------------------------------------------------------------------------------

    static long stop(int depth, Object argument, double wide, long longer) {
        synchronized (lock) {
            if (depth > 0) {
                return stop(depth - 1, argument, wide, longer);
            }
            boolean flag = true;
            byte small = -8;
            char letter = 'x';
            short shorter = -9;
            float ratio = 0.5f;
            double exact = 0.25;
            String words = "local";
            int[] row = ints;
            Object none = null;
            Thread thread = main;
            Class<?> type = Types.class;
            {
                int gone = 1;
                shorter += gone;
            }
            long sum = small + letter + shorter + (long) (ratio + exact) + words.length(); // @stop
            return sum + row.length + (flag ? 1 : 0) + (none == null ? 1 : 0) + thread.getId() + type.hashCode();
        }
    }

    synchronized long enter() {
        long result = stop(1, this, 2.5, 1L << 40);
        int later = 1;
        return result + later;
    }

    public static void main(String[] args) throws Exception {
        Loading.begin();
        dead.start();
        dead.join();
        lost = null;
        synchronized (outer) {
            synchronized (lock) {
                await(start("contender", Types::contend), Thread.State.BLOCKED);
                await(start("listener", Types::listen), Thread.State.WAITING);
                await(start("lingerer", Types::linger), Thread.State.TIMED_WAITING);
                await(start("sleeper", Types::sleep), Thread.State.TIMED_WAITING);
                await(start("parker", LockSupport::park), Thread.State.WAITING);
                Function<Types, Long> entered = Types::enter;
                System.out.println(entered.apply(new Types()));
            }
        }
    }

    static Object proxyOf(Class<?> type) {
        return Proxy.newProxyInstance(loader, new Class<?>[] {type}, (self, method, arguments) -> null);
    }

    static MethodHandles.Lookup lookup() {
        return MethodHandles.lookup();
    }
}
