// SPDX-License-Identifier: Apache-2.0
package throwing;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Ways to throw an exception, each in a method that announces its name first. */
public final class Main {
    interface Way {
        void run() throws Throwable;
    }

    static class Boom extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Boom(String message) {
            super(message);
        }

        Boom(String message, Throwable cause) {
            super(message, cause);
        }
    }

    static class Quick extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Quick() {
            super("quick", null, false, false);
        }
    }

    static class Elaborate extends Boom {
        private static final long serialVersionUID = 1L;
        final ArrayList<String> parts = new ArrayList<>();

        Elaborate(String message) {
            super(message);
            parts.add(message);
        }

        Elaborate() {
            this("elaborate");
        }
    }

    static class Failing {
        static final int VALUE = fail("static initialiser");
    }

    static class FailsToConstruct extends Boom {
        private static final long serialVersionUID = 1L;

        FailsToConstruct() {
            super("never thrown");
            fail("in its constructor");
        }
    }

    static class Resource implements AutoCloseable {
        @Override
        public void close() {
            throw new Boom("close");
        }
    }

    static final Boom PREPARED = new Boom("prepared");
    static final Map<String, Way> WAYS = new TreeMap<>();
    static final int[] ONE = {1};
    static final ExecutorService POOL = Executors.newSingleThreadExecutor(run -> {
        Thread thread = new Thread(run, "pool");
        thread.setDaemon(true);
        return thread;
    });
    static Object nothing;
    static int zero;
    static volatile Boom kept;

    private Main() {}

    static int fail(String message) {
        throw new Boom(message);
    }

    static Boom made(String message) {
        return new Boom(message);
    }

    static Boom madeInSteps(String message) {
        Boom boom = new Boom(message);
        boom.addSuppressed(new Quick());
        return boom;
    }

    static RuntimeException wrapped(Throwable cause) {
        return new Boom("wrapped", cause);
    }

    @SuppressWarnings("unchecked")
    static <T extends Throwable> void sneaky(Throwable thrown) throws T {
        throw (T) thrown;
    }

    static int recurse(int depth) {
        return recurse(depth + 1) + 1;
    }

    static void way(String name, Way way) {
        WAYS.put(name, way);
    }

    static void explicit() {
        way("throw new", () -> {
            throw new Boom("new");
        });
        way("throw new, in a called method", () -> fail("called"));
        way("throw new, elaborate constructors", () -> {
            throw new Elaborate();
        });
        way("throw new, without a stack trace", () -> {
            throw new Quick();
        });
        way("throw new, checked", () -> {
            throw new Exception("checked");
        });
        way("throw new, an Error", () -> {
            throw new AssertionError("an error");
        });
        way("a variable", () -> {
            Boom boom = new Boom("variable");
            throw boom;
        });
        way("one of two", () -> {
            throw nothing == null ? new Boom("this one") : new Quick();
        });
        way("with a cause", () -> {
            throw (Boom) new Boom("caused").initCause(new Quick());
        });
        way("factory", () -> {
            throw made("factory");
        });
        way("factory in steps", () -> {
            throw madeInSteps("factory in steps");
        });
        way("factory by two methods", () -> {
            throw wrapped(made("inner"));
        });
        way("generic throw", () -> Main.<RuntimeException>sneaky(new Boom("sneaky")));
        way("constructor that throws", () -> {
            throw new FailsToConstruct();
        });
    }

    static void again() {
        way("preallocated", () -> {
            throw PREPARED;
        });
        way("caught and thrown again", () -> {
            try {
                fail("again");
            } catch (Boom boom) {
                throw boom;
            }
        });
        way("caught, perhaps thrown again", () -> {
            try {
                fail("perhaps");
            } catch (Boom boom) {
                if (nothing == null) {
                    throw boom;
                }
            }
        });
        way("caught and wrapped", () -> {
            try {
                fail("inner");
            } catch (Boom boom) {
                throw new Boom("outer", boom);
            }
        });
        way("kept and thrown later", () -> {
            kept = made("kept");
            Thread.yield();
            throw kept;
        });
        way("through finally", () -> {
            try {
                fail("finally");
            } finally {
                zero = 0;
            }
        });
        way("through synchronized", () -> {
            synchronized (WAYS) {
                fail("synchronized");
            }
        });
        way("suppressed by close", () -> {
            try (Resource resource = new Resource()) {
                fail("body of " + resource);
            }
        });
        way("finally that swallows", Main::swallow);
        way("deserialised", () -> {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            new ObjectOutputStream(bytes).writeObject(PREPARED);
            throw (Boom) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))
                    .readObject();
        });
    }

    @SuppressWarnings("finally")
    static void swallow() {
        try {
            fail("swallowed");
        } finally {
            return;
        }
    }

    static void implicit() {
        way("null: method", () -> nothing.hashCode());
        way("null: field", () -> zero = ((int[]) nothing).length);
        way("null: throw", () -> {
            throw (Boom) nothing;
        });
        way("null: unboxing", () -> zero = (Integer) nothing);
        way("null: synchronized", () -> {
            synchronized (nothing) {
                zero = 0;
            }
        });
        way("division by zero", () -> zero = 1 / zero);
        way("remainder of a long", () -> zero = (int) (1L % zero));
        way("index too large", () -> zero = ONE[1]);
        way("index below zero", () -> ONE[zero - 1] = 2);
        way("text index", () -> zero = "text".charAt(4));
        way("negative array", () -> nothing = new int[zero - 1]);
        way("cast", () -> zero = ((String) (Object) WAYS).length());
        way("store into an array", () -> ((Object[]) new String[1])[0] = WAYS);
        way("monitor", () -> WAYS.notify());
        way("fast throw", () -> hot(nothing));
        way("stack overflow", () -> recurse(0));
        way("out of memory", () -> nothing = new long[Integer.MAX_VALUE][]);
        way("assertion", () -> {
            assert nothing != null : "asserted";
            throw new AssertionError("assertions are off");
        });
    }

    static void hot(Object object) {
        object.hashCode();
    }

    /** Until the compiled code throws an exception that was made in advance. */
    static void heatUp() {
        for (int round = 0; round < 200_000; round++) {
            try {
                hot(nothing);
            } catch (NullPointerException e) {
                zero = 0;
            }
        }
    }

    static void byOthers() {
        way("library: number", () -> Integer.parseInt("x"));
        way("library: optional", () -> Optional.empty().get());
        way("library: supplier", () -> Optional.empty().orElseThrow(() -> new Boom("supplied")));
        way("library: constructor reference", () -> Optional.empty().orElseThrow(Quick::new));
        way("library: index", () -> new ArrayList<>().get(0));
        way("library: immutable", () -> List.of().add(null));
        way("library: null check", () -> java.util.Objects.requireNonNull(nothing, "required"));
        way("class: initialiser", () -> zero = Failing.VALUE);
        way("class: initialiser, again", () -> zero = Failing.VALUE);
        way("class: not found", () -> Class.forName("throwing.Missing"));
        way("class: not found by the boot loader",
                () -> Class.forName("throwing.Missing", true, null));
        way("native: arraycopy", () -> System.arraycopy(new int[1], 0, new int[1], 1, 1));
        way("native: arraycopy, kinds", () -> System.arraycopy(new int[1], 0, new long[1], 0, 1));
        way("native: reflective array", () -> Array.get(new int[1], 2));
        way("native: file", () -> new FileInputStream("/no/such/file").close());
        way("native: sleep", () -> {
            Thread.currentThread().interrupt();
            Thread.sleep(1);
        });
        way("native: clone", () -> new Main().clone());
        way("reflection: method", () -> Main.class.getDeclaredMethod("fail", String.class)
                .invoke(null, "reflected"));
        way("reflection: wrong argument", () -> Main.class.getDeclaredMethod("fail", String.class)
                .invoke(null, 1));
        way("reflection: no such method", () -> Main.class.getDeclaredMethod("missing"));
        way("reflection: constructor", () -> {
            throw Quick.class.getDeclaredConstructor().newInstance();
        });
        way("reflection: constructor that throws",
                () -> FailsToConstruct.class.getDeclaredConstructor().newInstance());
        way("method handle", () -> {
            int ignored = (int) MethodHandles.lookup().findStatic(Main.class, "fail",
                    MethodType.methodType(int.class, String.class)).invokeExact("handle");
        });
        way("method handle: constructor", () -> {
            throw (Quick) MethodHandles.lookup()
                    .findConstructor(Quick.class, MethodType.methodType(void.class)).invoke();
        });
        way("lambda", () -> ((Supplier<Integer>) () -> fail("lambda")).get());
        way("stream", () -> List.of(1).stream().map(each -> fail("stream")).forEach(each -> zero = 0));
    }

    static void elsewhere() {
        way("thread: uncaught", () -> joined(() -> fail("in a thread")));
        way("thread: uncaught through finally", () -> joined(() -> {
            try {
                fail("in a thread");
            } finally {
                zero = 0;
            }
        }));
        way("thread: pool", () -> {
            POOL.submit((Callable<Integer>) () -> fail("in a pool")).get();
        });
        way("thread: future", () -> CompletableFuture.supplyAsync(() -> fail("future")).join());
        way("thread: virtual", () -> {
            if (Runtime.version().feature() >= 21) {
                Thread thread = (Thread) Thread.class
                        .getMethod("startVirtualThread", Runnable.class)
                        .invoke(null, (Runnable) () -> fail("virtual"));
                thread.join();
            }
        });
        way("not thrown", () -> kept = new Boom("not thrown"));
        way("not thrown, logged", () -> zero = new Throwable().getStackTrace().length * 0);
    }

    static void joined(Runnable run) throws InterruptedException {
        Thread thread = new Thread(run, "other");
        thread.setUncaughtExceptionHandler((where, what) -> zero = 0);
        thread.start();
        thread.join();
    }

    static void announce(String name) {
        zero = 0; // @announced
    }

    @Override
    protected Object clone() throws CloneNotSupportedException {
        return super.clone();
    }

    static void run(String name, Way way) {
        announce(name);
        try {
            way.run();
        } catch (Throwable thrown) {
            zero = 0; // @caught
        }
    }

    public static void main(String[] args) {
        explicit();
        again();
        implicit();
        byOthers();
        elsewhere();
        Kept.ways();
        Given.ways();
        // Once before, so that classes are loaded and call sites are linked.
        for (int round = 0; round < 2; round++) {
            WAYS.forEach(Main::run);
            if (round == 0) {
                heatUp();
            }
            roundEnded();
        }
        System.out.println("done " + WAYS.size());
    }

    static void roundEnded() {
        zero = 0; // @between
    }
}
