// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/** The rare ways out of a frame, each once and in this order; tests step at the marked lines. */
public final class Exits {
    static int unwound;

    private Exits() {}

    static class Problem extends RuntimeException {}

    // --- the stack overflows ---------------------------------------------------------------------

    static int endless(int n) {
        return endless(n + 1) + 1; // @endless
    }

    static int overflows() {
        try {
            return endless(0); // @overflow
        } catch (StackOverflowError error) {
            return 1; // @overflown
        }
    }

    // Each frame has a handler, and runs it.
    static int endlessUnwinding(int n) {
        try {
            return endlessUnwinding(n + 1) + 1; // @unwinding
        } finally {
            unwound++;
        }
    }

    static int overflowsThroughHandlers() {
        try {
            return endlessUnwinding(0); // @overflow-handlers
        } catch (StackOverflowError error) {
            return 2;
        }
    }

    // --- the VM and native code in between -------------------------------------------------------

    static class Broken {
        static int value = fails();

        static int get() {
            return value;
        }
    }

    static class Late {
        static int value = initial();

        static int get() {
            return value;
        }
    }

    static int initial() {
        return 4; // @initial
    }

    static int fails() {
        throw new Problem(); // @fails
    }

    static int initialises() {
        int got = Late.get();
        try {
            got += Broken.get(); // @broken
        } catch (ExceptionInInitializerError error) {
            got += 1;
        }
        try {
            got += Broken.get(); // @broken-again
        } catch (NoClassDefFoundError error) {
            got += 2;
        }
        return got;
    }

    static int named() throws Exception {
        try {
            Class.forName("Exits$BrokenByName"); // @for-name
        } catch (ExceptionInInitializerError error) {
            return 1;
        }
        return 0;
    }

    static class BrokenByName {
        static int value = fails2();
    }

    static int fails2() {
        throw new Problem(); // @fails-by-name
    }

    static int reflected() throws Exception {
        try {
            return (int) Exits.class.getDeclaredMethod("fails3").invoke(null); // @reflected
        } catch (InvocationTargetException wrapped) {
            return 3;
        }
    }

    static int fails3() {
        throw new Problem(); // @fails-reflected
    }

    static class Missing {
        static int value = 5;
    }

    /** Asks for a class that its loader refuses, and for one that it gives. */
    public static class User implements IntSupplier {
        @Override
        public int getAsInt() {
            try {
                return Missing.value;
            } catch (NoClassDefFoundError error) {
                return new Square().area(3);
            }
        }
    }

    /** Loaded by the loader. */
    public static class Square {
        int area(int side) {
            return side * side;
        }
    }

    static class Loader extends ClassLoader {
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals("Exits$Missing")) {
                refuse(name);
            }
            if (name.equals("Exits$User") || name.equals("Exits$Square")) {
                prepare(name);
                return defined(name);
            }
            return super.loadClass(name, resolve);
        }

        private Class<?> defined(String name) throws ClassNotFoundException {
            try (InputStream in = Exits.class.getResourceAsStream(name + ".class")) {
                byte[] content = in.readAllBytes();
                return defineClass(name, content, 0, content.length);
            } catch (IOException broken) {
                throw new ClassNotFoundException(name, broken);
            }
        }
    }

    static void refuse(String name) throws ClassNotFoundException {
        throw new ClassNotFoundException(name); // @refused
    }

    static void prepare(String name) {
        unwound += name.length(); // @given
    }

    static int loads() throws Exception {
        Class<?> user = new Loader().loadClass("Exits$User");
        IntSupplier made = (IntSupplier) user.getDeclaredConstructor().newInstance();
        return made.getAsInt();
    }

    // --- handlers on the way ---------------------------------------------------------------------

    static synchronized int locked(int depth) {
        synchronized (Problem.class) {
            return depth == 0 ? fails4() : locked(depth - 1); // @locked
        }
    }

    static int fails4() {
        throw new Problem(); // @fails-locked
    }

    static int guarded() {
        try {
            return locked(2); // @guarded
        } catch (Problem problem) {
            return 6;
        } finally {
            unwound = 0;
        }
    }

    // --- tail positions --------------------------------------------------------------------------

    static int streamed() {
        return IntStream.range(0, 3).map(n -> tail(n)).sum(); // @streamed
    }

    static int tail(int n) {
        return n * 2; // @tail
    }

    static int supplied() {
        IntSupplier inner = () -> tail2(); // @supplier
        IntSupplier outer = () -> inner.getAsInt();
        return outer.getAsInt(); // @supplied
    }

    static int tail2() {
        return 7; // @tail-supplied
    }

    // --- frames that the debugger ends -----------------------------------------------------------

    static int caller(int n) {
        int got = inner(n); // @caller
        got += inner(n); // @caller-second
        got += inner(n); // @caller-third
        return got + 1; // @caller-end
    }

    static int inner(int n) {
        int twice = innermost(n); // @inner
        return twice + 1; // @inner-end
    }

    static int innermost(int n) {
        return n * 2; // @innermost
    }

    // --- two threads in the same code ------------------------------------------------------------

    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static int both(int n) {
        int got = fib(n); // @both
        got += fib(n - 1); // @both-second
        return got; // @both-end
    }

    static void together() throws InterruptedException {
        CountDownLatch ready = new CountDownLatch(2);
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            int n = 10 + i;
            threads[i] = new Thread(() -> {
                ready.countDown();
                both(n);
            }, "both-" + i);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    public static void main(String[] args) throws Exception {
        int sum = overflows(); // @begin
        sum += overflows();
        sum += overflowsThroughHandlers();
        sum += overflowsThroughHandlers();
        sum += initialises();
        sum += named();
        sum += reflected();
        sum += reflected();
        sum += loads();
        sum += guarded() + guarded();
        sum += streamed();
        sum += supplied();
        sum += caller(1);
        sum += caller(2); // @after-caller
        together();
        System.out.println("sum " + sum);
    }
}
