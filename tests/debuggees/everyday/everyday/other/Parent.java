// SPDX-License-Identifier: Apache-2.0
package everyday.other;

import java.util.List;

/** A superclass of another package: what of it is inherited, and what only looks so. */
public class Parent {
    protected int count = 100;
    private String name = "parent";
    int local = 7;
    protected static String kind = "kind of parent";
    public final List<String> tags = List.of("p", "q");

    protected String describe(Object any) {
        return "parent " + any;
    }

    private String describe(int number) {
        return "private " + number;
    }

    protected String greet() {
        return "hello from parent";
    }

    public String name() {
        return name;
    }

    protected static int twice(int number) {
        return number * 2;
    }

    /** Nested, and protected. */
    protected static class Tool {
        public int weight = 3;

        public Tool() {}
    }

    /** Hides nothing yet. */
    public interface Visitor<R> {
        R visit(Parent parent);

        default Visitor<String> shown() {
            return parent -> "<" + visit(parent) + ">";
        }

        static <T> Visitor<T> always(T value) {
            return parent -> value;
        }
    }
}
