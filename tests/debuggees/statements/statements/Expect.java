// SPDX-License-Identifier: Apache-2.0
package statements;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * What javac makes of statements and patterns: the text beside its value. The test evaluates the
 * texts in the same order, in the frame that calls `stop`, and compares.
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

    static void is(String text, int value) {
        keep(text, "int", value);
    }

    static void is(String text, short value) {
        keep(text, "short", value);
    }

    static void is(String text, char value) {
        keep(text, "char", value);
    }

    static void is(String text, long value) {
        keep(text, "long", value);
    }

    static void is(String text, double value) {
        keep(text, "double", value);
    }

    static void is(String text, Object value) {
        keep(text, "object", value);
    }

    /** Statements with `return`: `kind` is the type of what they give. */
    static void runs(String kind, String text, Callable<?> statements) {
        try {
            keep(text, kind, statements.call());
        } catch (Exception thrown) {
            keep(text, "throws", thrown.getClass().getName());
        }
    }

    /** The end of a context: what was kept is for the calling frame. */
    static void stop() {
        texts.clear();
        kinds.clear();
        values.clear();
    }
}
