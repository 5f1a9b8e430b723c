// SPDX-License-Identifier: Apache-2.0
package expect;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * What javac makes of expressions and statements: the text beside its value, kept by the overload
 * of its static type. The test evaluates the texts in the same order, in the frame that calls
 * `stop`, and compares.
 *
 * <p>Without a text it is the argument itself, which the test takes from the source: `@` and the
 * line of the call stand for it.
 */
public final class Expect {
    /** Read by the test, in parallel. */
    public static final List<String> texts = new ArrayList<>();
    public static final List<String> kinds = new ArrayList<>();
    public static final List<Object> values = new ArrayList<>();

    private Expect() {}

    /** Statements or an expression that may throw anything. */
    @FunctionalInterface
    public interface Action {
        void run() throws Throwable;
    }

    private static int keep(String text, String kind, Object value) {
        texts.add(text);
        kinds.add(kind);
        values.add(value);
        return 0;
    }

    private static String here() {
        for (StackTraceElement each : new Throwable().getStackTrace()) {
            if (!each.getClassName().equals(Expect.class.getName())) {
                return "@" + each.getFileName() + ":" + each.getLineNumber();
            }
        }
        throw new AssertionError("called by nobody");
    }

    public static int is(String text, boolean value) {
        return keep(text, "boolean", value);
    }

    public static int is(String text, byte value) {
        return keep(text, "byte", value);
    }

    public static int is(String text, char value) {
        return keep(text, "char", value);
    }

    public static int is(String text, short value) {
        return keep(text, "short", value);
    }

    public static int is(String text, int value) {
        return keep(text, "int", value);
    }

    public static int is(String text, long value) {
        return keep(text, "long", value);
    }

    public static int is(String text, float value) {
        return keep(text, "float", value);
    }

    public static int is(String text, double value) {
        return keep(text, "double", value);
    }

    public static int is(String text, Object value) {
        return keep(text, "object", value);
    }

    public static int is(boolean value) {
        return is(here(), value);
    }

    public static int is(byte value) {
        return is(here(), value);
    }

    public static int is(char value) {
        return is(here(), value);
    }

    public static int is(short value) {
        return is(here(), value);
    }

    public static int is(int value) {
        return is(here(), value);
    }

    public static int is(long value) {
        return is(here(), value);
    }

    public static int is(float value) {
        return is(here(), value);
    }

    public static int is(double value) {
        return is(here(), value);
    }

    public static int is(Object value) {
        return is(here(), value);
    }

    /** The value is a new object each time: compared by what it looks like. */
    public static int makes(String text, Object value) {
        return keep(text, "new", value);
    }

    public static int makes(Object value) {
        return makes(here(), value);
    }

    /** The expression throws: compared by the class of the exception. */
    public static void fails(String text, Action expression) {
        try {
            expression.run();
        } catch (Throwable thrown) {
            keep(text, "throws", thrown.getClass().getName());
            return;
        }
        throw new AssertionError(text + " did not throw");
    }

    public static void fails(Action expression) {
        fails(here(), expression);
    }

    /** Statements with `return`: `kind` is the type of what they give. */
    public static void runs(String kind, String text, Callable<?> statements) {
        try {
            keep(text, kind, statements.call());
        } catch (Exception thrown) {
            keep(text, "throws", thrown.getClass().getName());
        }
    }

    public static void runs(String kind, Callable<?> statements) {
        runs(kind, here(), statements);
    }

    public static void ignore(Object value) {}

    /** For several in the place of an expression. */
    public static int all(int... kept) {
        return 0;
    }

    /** The end of a context: what was kept is for the calling frame. */
    public static int stop() {
        texts.clear();
        kinds.clear();
        values.clear();
        return 0;
    }
}
