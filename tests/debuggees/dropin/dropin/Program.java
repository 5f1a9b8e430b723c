// SPDX-License-Identifier: Apache-2.0
package dropin;

import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/** What debuggers of other makers debug: something for each kind of event and each command. */
public final class Program {
    static int counter = 1;
    static final List<Object> KEPT = new ArrayList<>();

    private final String name;
    int watched = 7;

    Program(String name) {
        this.name = name;
    }

    static int twice(int value) {
        int result = value * 2; // @twice
        return result; // @twice-return
    }

    static int chain(int value) {
        int doubled = twice(value); // @chain
        return doubled + 1; // @chain-return
    }

    int touch() {
        watched = watched + counter; // @touch
        return watched;
    }

    String greet(String other, int times) {
        return (name + " greets " + other + " ").repeat(times).trim();
    }

    static void thrower(boolean caught) {
        try {
            throw new IllegalStateException("thrown on purpose"); // @throw
        } catch (IllegalStateException expected) {
            counter++; // @caught
        }
    }

    static void redefinable() {
        System.out.println("answer " + Redefined.answer()); // @redefinable
    }

    static void contended() throws InterruptedException {
        Object monitor = new Object();
        Thread waiter =
                new Thread(
                        () -> {
                            synchronized (monitor) {
                                KEPT.add("entered");
                            }
                        },
                        "contender");
        synchronized (monitor) {
            waiter.start();
            while (waiter.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
            monitor.wait(20);
        }
        while (waiter.isAlive()) { // join() would wait, and report it, only if it came in time
            Thread.onSpinWait();
        }
    }

    static int popped(int value) {
        int seen = value + counter; // @popped
        return seen;
    }

    public static void main(String[] arguments) throws Exception {
        Program program = new Program("program");
        KEPT.add(program);
        KEPT.add(new Program("another"));
        int[] numbers = {1, 2, 3};
        String text = "text \u00e4\u20ac\ud83d\ude00";
        System.out.println("ready " + numbers.length + text.length()); // @ready
        System.out.println("chain " + chain(20));
        System.out.println("touch " + program.touch());
        thrower(true);
        redefinable();
        redefinable();
        contended();
        System.out.println("popped " + popped(5));
        System.out.println("greet " + program.greet("you", 1)); // @end
        Class<?> late = Class.forName("dropin.Late");
        System.out.println("late " + late.getSimpleName());
        unload();
        System.out.println("unloaded"); // @unloaded
    }

    /** Loads a class in a loader of its own and waits until both are gone. */
    private static void unload() throws Exception {
        WeakReference<ClassLoader> loader = new WeakReference<>(loadElsewhere());
        while (loader.get() != null) {
            System.gc();
            Thread.sleep(5);
        }
    }

    private static ClassLoader loadElsewhere() throws Exception {
        byte[] bytes;
        try (InputStream in = Program.class.getResourceAsStream("Late.class")) {
            bytes = in.readAllBytes();
        }
        ClassLoader loader =
                new ClassLoader(null) {
                    @Override
                    protected Class<?> findClass(String name) {
                        return defineClass(name, bytes, 0, bytes.length);
                    }
                };
        Class.forName("dropin.Late", true, loader);
        return loader;
    }
}

final class Late {}
