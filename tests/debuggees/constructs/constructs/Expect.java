// SPDX-License-Identifier: Apache-2.0
package constructs;

import java.util.ArrayList;
import java.util.List;

/**
 * What javac makes of expressions: the text beside its value, kept by the overload of its static
 * type. The test evaluates the texts in the same order, in the frame that calls `stop`.
 */
final class Expect {
    /** Read by the test, in parallel. */
    static final List<String> texts = new ArrayList<>();
    static final List<String> kinds = new ArrayList<>();
    static final List<Object> values = new ArrayList<>();

    private Expect() {}

    private static int keep(String text, String kind, Object value) {
        texts.add(text);
        kinds.add(kind);
        values.add(value);
        return 0;
    }

    static int is(String text, boolean value) {
        return keep(text, "boolean", value);
    }

    static int is(String text, byte value) {
        return keep(text, "byte", value);
    }

    static int is(String text, char value) {
        return keep(text, "char", value);
    }

    static int is(String text, short value) {
        return keep(text, "short", value);
    }

    static int is(String text, int value) {
        return keep(text, "int", value);
    }

    static int is(String text, long value) {
        return keep(text, "long", value);
    }

    static int is(String text, float value) {
        return keep(text, "float", value);
    }

    static int is(String text, double value) {
        return keep(text, "double", value);
    }

    static int is(String text, Object value) {
        return keep(text, "object", value);
    }

    /** The value is a new object each time: compared by what it looks like. */
    static int makes(String text, Object value) {
        return keep(text, "new", value);
    }

    static void ignore(Object value) {}

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

    /** For several in the place of an expression. */
    static int all(int... kept) {
        return 0;
    }

    /** The end of a context: what was kept is for the calling frame. */
    static int stop() {
        texts.clear();
        kinds.clear();
        values.clear();
        return 0;
    }
}
