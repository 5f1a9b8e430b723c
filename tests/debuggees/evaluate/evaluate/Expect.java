// SPDX-License-Identifier: Apache-2.0
package evaluate;

import java.util.ArrayList;
import java.util.List;

/**
 * What javac makes of expressions: `is(text, expression)` keeps the text beside the value, and the
 * overloads of `is` keep the static type. The test evaluates the texts in the same order, in the
 * frame that calls `stop`, and compares.
 */
final class Expect {
    /** Read by the test, in parallel. */
    static final List<String> texts = new ArrayList<>();
    static final List<String> kinds = new ArrayList<>();
    static final List<Object> values = new ArrayList<>();

    private Expect() {}

    private static void keep(String text, String kind, Object value) {
        texts.add(text);
        kinds.add(kind);
        values.add(value);
    }

    static void is(String text, boolean value) {
        keep(text, "boolean", value);
    }

    static void is(String text, byte value) {
        keep(text, "byte", value);
    }

    static void is(String text, char value) {
        keep(text, "char", value);
    }

    static void is(String text, short value) {
        keep(text, "short", value);
    }

    static void is(String text, int value) {
        keep(text, "int", value);
    }

    static void is(String text, long value) {
        keep(text, "long", value);
    }

    static void is(String text, float value) {
        keep(text, "float", value);
    }

    static void is(String text, double value) {
        keep(text, "double", value);
    }

    static void is(String text, Object value) {
        keep(text, "object", value);
    }

    /** The value is a new object each time: compared by what it looks like. */
    static void makes(String text, Object value) {
        keep(text, "new", value);
    }

    /** The expression throws: compared by the class of the exception. */
    static void fails(String text, Runnable expression) {
        try {
            expression.run();
        } catch (RuntimeException | Error thrown) {
            keep(text, "throws", thrown.getClass().getName());
            return;
        }
        throw new AssertionError(text + " did not throw");
    }

    /** The end of a context: what was kept is for the calling frame. */
    static void stop(String context) {
        texts.clear();
        kinds.clear();
        values.clear();
    }
}
