// SPDX-License-Identifier: Apache-2.0

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** All the ways in which a thread goes into frames and comes out of them. Runs each path twice. */
public class Paths {
    static int sum;

    static class Problem extends RuntimeException {
        Problem(String message) {
            super(message);
        }
    }

    static class Resource implements AutoCloseable {
        final boolean broken;

        Resource(boolean broken) {
            this.broken = broken;
        }

        int use(int number) {
            if (number % 2 == 1) {
                throw new Problem("odd");
            }
            return number;
        }

        @Override
        public void close() {
            sum += 1;
            if (broken) {
                throw new Problem("close");
            }
        }
    }

    static class Lazy {
        static int value = compute();
        static final int[] TABLE = {compute(), compute()};

        static int compute() {
            return sum + 1;
        }

        static int get() {
            return value + TABLE.length;
        }
    }

    static class Broken {
        static int value = fail(3);

        static int get() {
            return value;
        }
    }

    interface Shape {
        int area();

        default int twice() {
            return 2 * area();
        }
    }

    static class Square implements Shape {
        private final int side;

        Square(int side) {
            this.side = check(side);
        }

        private static int check(int side) {
            if (side < 0) {
                throw new IllegalArgumentException("side");
            }
            return side;
        }

        @Override
        public int area() {
            return side * side;
        }
    }

    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static int fail(int depth) {
        if (depth == 0) {
            throw new Problem("bottom");
        }
        return fail(depth - 1) + 1;
    }

    static int caughtInCallee(int depth) {
        try {
            return fail(depth);
        } catch (Problem problem) {
            return depth;
        }
    }

    static int caughtHere() {
        int got = 0;
        for (int i = 0; i < 3; i++) {
            try {
                got += i % 2 == 0 ? fib(3) : fail(2);
            } catch (IllegalStateException never) {
                got = -1;
            } catch (Problem problem) {
                got += 10;
            } finally {
                got += 100;
            }
        }
        return got;
    }

    // A frame of the same method catches what an inner one throws.
    static int caughtFurtherUp(int depth) {
        try {
            if (depth == 0) {
                return fail(1);
            }
            return caughtFurtherUp(depth - 1) + 1;
        } catch (Problem problem) {
            if (depth < 2) {
                throw problem;
            }
            return fib(2);
        } finally {
            sum += depth;
        }
    }

    static int rethrown() {
        try {
            try {
                return fail(1);
            } catch (Problem problem) {
                throw new IllegalStateException(problem);
            } finally {
                sum += fib(2);
            }
        } catch (IllegalStateException wrapped) {
            return wrapped.getCause().getMessage().length();
        }
    }

    static synchronized int locked(int depth) {
        synchronized (Paths.class) {
            return depth == 0 ? fail(0) : locked(depth - 1);
        }
    }

    static int fromTheVm(int kind) {
        int[] numbers = new int[2];
        Object text = "text";
        String none = numbers.length == 2 ? null : "some";
        try {
            switch (kind) {
                case 0:
                    return 1 / numbers[0];
                case 1:
                    return numbers[numbers.length];
                case 2:
                    return none.length();
                case 3:
                    return ((Integer) text).intValue();
                default:
                    throw new ArithmeticException();
            }
        } catch (ArithmeticException | IndexOutOfBoundsException ignored) {
            return kind;
        } catch (NullPointerException | ClassCastException ignored) {
            return -kind;
        }
    }

    static int resources(boolean broken) {
        int got = 0;
        for (int i = 0; i < 2; i++) {
            try (Resource first = new Resource(false); Resource second = new Resource(broken)) {
                got += first.use(i) + second.use(0);
            } catch (Problem problem) {
                got += problem.getSuppressed().length + 1;
            }
        }
        return got;
    }

    static int reflected(String name) throws Exception {
        try {
            return (int) Paths.class.getDeclaredMethod(name, int.class).invoke(null, 2);
        } catch (InvocationTargetException wrapped) {
            return wrapped.getCause().getMessage().length();
        }
    }

    static int handled(String name) throws Throwable {
        MethodType type = MethodType.methodType(int.class, int.class);
        MethodHandle handle = MethodHandles.lookup().findStatic(Paths.class, name, type);
        try {
            return (int) handle.invokeExact(2) + (int) handle.invoke(Integer.valueOf(1));
        } catch (Problem problem) {
            return 7;
        }
    }

    @SuppressWarnings({"deprecation", "removal"})
    static int privileged(int depth) {
        try {
            return AccessController.doPrivileged((PrivilegedAction<Integer>) () -> fib(2) + fail(depth));
        } catch (Problem problem) {
            return 1;
        }
    }

    static int lambdas() throws Exception {
        IntUnaryOperator twice = n -> 2 * n;
        IntUnaryOperator both = twice.andThen(Paths::fib);
        Callable<Integer> failing = () -> caughtInCallee(1) + fail(0);
        int got = both.applyAsInt(2);
        try {
            got += failing.call();
        } catch (Problem problem) {
            got += 3;
        }
        return got + IntStream.range(0, 3).map(both).sum();
    }

    static int collections() {
        List<Integer> numbers = new ArrayList<>(List.of(3, 1, 2));
        numbers.sort((left, right) -> Integer.compare(left, right));
        int got = 0;
        for (Integer number : numbers) {
            got = 10 * got + number;
        }
        return got;
    }

    static int initialised() {
        int got = Lazy.get();
        try {
            got += Broken.get();
        } catch (ExceptionInInitializerError error) {
            got += 2;
        } catch (NoClassDefFoundError error) {
            got += 3;
        }
        return got;
    }

    static int shapes() {
        Shape shape = new Square(2);
        int got = shape.twice();
        try {
            got += new Square(-1).twice();
        } catch (IllegalArgumentException wrong) {
            got += 1;
        }
        return got;
    }

    static int texts(int number) {
        String text = "sum " + number + " of " + new Square(number).area();
        return String.format("%s", text).length();
    }

    static void all() throws Throwable {
        sum += fib(4);
        sum += caughtInCallee(2);
        sum += caughtHere();
        sum += caughtFurtherUp(3);
        sum += rethrown();
        try {
            sum += locked(2);
        } catch (Problem problem) {
            sum++;
        }
        for (int kind = 0; kind < 5; kind++) {
            sum += fromTheVm(kind);
        }
        sum += resources(false) + resources(true);
        sum += initialised();
        sum += shapes();
        sum += reflected("fib") + reflected("fail");
        sum += handled("fib") + handled("fail");
        sum += privileged(1);
        sum += lambdas();
        sum += collections();
        sum += texts(3);
    }

    public static void main(String[] args) throws Throwable {
        int rounds = args.length == 0 ? 2 : Integer.parseInt(args[0]); // @begin
        for (int round = 0; round < rounds; round++) {
            all();
        }
        System.out.println("sum " + sum);
        if (args.length > 1) {
            fail(1);
        }
    }
}
