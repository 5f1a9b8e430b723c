// SPDX-License-Identifier: Apache-2.0
package constructs;

import static expect.Expect.all;
import static expect.Expect.is;
import static expect.Expect.makes;
import static expect.Expect.stop;
import static java.lang.Math.*;
import static java.util.Map.entry;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** Kinds of methods and classes to stop in. */
final class Places {
    private Places() {}

    static void visit() {
        new Derived(5).work(2);
        new Range(3, 1).span();
        Shade.DARK.mix(Shade.LIGHT);
        new Impl().both();
        Corner.fixed(4);
        new Generics.Outer<>("out").work(List.of("a"));
        Generics.bounded(3, List.of(4), new TreeMap<>(Map.of("k", List.of(Map.of(1, "deep")))));
        switches(3, "two", Shade.DARK);
        resources("file");
        nested(6, "text");
        imported(-3);
    }

    static class Root {
        protected int depth = 1;
        protected String label = "root";
        private static int made = 0;

        Root(int given) {
            depth += given;
            made++;
        }

        String describe() {
            return "root" + depth;
        }

        static String kind() {
            return "Root";
        }
    }

    static class Derived extends Root implements Cloneable {
        static final List<String> NAMES;
        private final int size;
        private int extra = 2;
        protected String label = "derived";

        static {
            List<String> found = new ArrayList<>();
            found.add("x");
            int length = found.size();
            is("found.get(0) + length", found.get(0) + length);
            is("Derived.NAMES_LENGTH + length", Derived.NAMES_LENGTH + length);
            is("kind()", kind());
            is("Root.made", Root.made);
            stop(); // @static-initializer
            NAMES = found;
        }

        static final int NAMES_LENGTH = 4;

        {
            int local = extra * 2;
            is("local + extra", local + extra);
            is("this.extra", this.extra);
            is("depth", depth);
            is("describe()", describe());
            is("NAMES.size()", NAMES.size());
            stop(); // @instance-initializer
        }

        Derived(int argument) {
            super(all(
                    is("argument + 1", argument + 1),
                    is("argument * NAMES.size()", argument * NAMES.size()),
                    is("kind()", kind()),
                    is("\"\" + argument + Root.made", "" + argument + Root.made),
                    is("NAMES.get(0)", NAMES.get(0)),
                    stop())); // @before-super
            size = argument;
            is("size + argument", size + argument);
            is("this.size", this.size);
            is("super.depth", super.depth);
            is("describe() + super.describe()", describe() + super.describe());
            is("label + super.label + ((Root) this).label",
                    label + super.label + ((Root) this).label);
            is("extra = 9", extra = 9);
            is("extra", extra);
            extra = 2;
            stop(); // @after-super
        }

        @Override
        String describe() {
            return "derived" + extra;
        }

        void work(int... rest) {
            is("rest[0] + rest.length", rest[0] + rest.length);
            is("super.describe().length()", super.describe().length());
            is("super.hashCode() == System.identityHashCode(this)",
                    super.hashCode() == System.identityHashCode(this));
            is("super.depth++ + depth", super.depth++ + depth);
            is("this.depth = 6", this.depth = 6);
            is("super.label = \"changed\"", super.label = "changed");
            is("super.label", super.label);
            is("Derived.super.label", Derived.super.label);
            is("kind() + Derived.kind() + Root.kind()", kind() + Derived.kind() + Root.kind());
            is("Root.made++", Root.made++);
            is("Root.made--", Root.made--);
            is("((Root) this).describe()", ((Root) this).describe());
            is("getClass() == Derived.class", getClass() == Derived.class);
            is("this == (Object) this", this == (Object) this);
            super.label = "root";
            depth = 1;
            stop(); // @derived
        }
    }

    record Range(int from, int to) implements Comparable<Range> {
        static int made;

        Range {
            if (made++ == 0) {
                is("from - to", from - to);
                is("Math.max(from, to)", Math.max(from, to));
                is("made + 1", made + 1);
                is("from > to ? \"swap\" : \"keep\"", from > to ? "swap" : "keep");
                is("from = from + 1", from = from + 1);
                is("from", from);
                from = 3;
                stop(); // @compact-constructor
            }
            if (from > to) {
                int kept = from;
                from = to;
                to = kept;
            }
        }

        @Override
        public int compareTo(Range other) {
            return Integer.compare(from, other.from);
        }

        int span() {
            is("to - from", to - from);
            is("to() - from()", to() - from());
            is("this.from * 10 + this.to()", this.from * 10 + this.to());
            makes("this", this);
            is("toString()", toString());
            is("equals(new Range(3, 1))", equals(new Range(3, 1)));
            is("hashCode() == new Range(1, 3).hashCode()",
                    hashCode() == new Range(1, 3).hashCode());
            is("compareTo(new Range(9, 9)) < 0", compareTo(new Range(9, 9)) < 0);
            is("new Range(7, 7).from", new Range(7, 7).from);
            is("this instanceof Comparable<?>", this instanceof Comparable<?>);
            is("(Object) this instanceof Range other && other.from == from",
                    (Object) this instanceof Range other && other.from == from);
            is("Range.class.isRecord()", Range.class.isRecord());
            stop(); // @record
            return to - from;
        }
    }

    enum Shade {
        LIGHT(1),
        DARK(2) {
            @Override
            int mix(Shade other) {
                is("weight + other.weight", weight + other.weight);
                is("other == LIGHT", other == LIGHT);
                is("this.name() + ordinal()", this.name() + ordinal());
                is("super.mix(other)", super.mix(other));
                is("switch (other) { case LIGHT -> \"l\"; case DARK -> \"d\"; }",
                        switch (other) { case LIGHT -> "l"; case DARK -> "d"; });
                is("Shade.valueOf(\"LIGHT\").weight", Shade.valueOf("LIGHT").weight);
                is("values()[1] == this", values()[1] == this);
                is("(Object) getClass() == Shade.class", (Object) getClass() == Shade.class);
                is("getDeclaringClass()", getDeclaringClass());
                is("compareTo(other)", compareTo(other));
                is("secret()", secret());
                is("own", own);
                stop(); // @constant-body
                return own;
            }

            private final int own = 8;
        };

        protected final int weight;

        Shade(int weight) {
            this.weight = weight;
            if (weight == 2) {
                is("weight * 2", weight * 2);
                is("this.weight", this.weight);
                is("name() + ordinal()", name() + ordinal());
                is("secret()", secret());
                stop(); // @enum-constructor
            }
        }

        int mix(Shade other) {
            return weight * 10 + other.weight;
        }

        static String secret() {
            return "s";
        }
    }

    interface Left {
        int SIDE = 1;

        default String side() {
            return "left" + SIDE;
        }
    }

    interface Corner {
        int SIDE = 2;

        default String side() {
            return "corner" + hidden(3);
        }

        private int hidden(int by) {
            if (by > 0) {
                is("by * SIDE", by * SIDE);
                is("this instanceof Left", this instanceof Left);
                is("twice(by)", twice(by));
                is("Corner.twice(SIDE)", Corner.twice(SIDE));
                is("((Left) this).side()", ((Left) this).side());
                is("hidden(0) + 1", hidden(0) + 1);
                stop(); // @interface-private
            }
            return by;
        }

        private static int twice(int by) {
            return by * 2;
        }

        static int fixed(int by) {
            int sum = by + SIDE;
            is("sum + by", sum + by);
            is("twice(sum)", twice(sum));
            is("SIDE", SIDE);
            is("Corner.SIDE + Left.SIDE", Corner.SIDE + Left.SIDE);
            is("new Impl().name", new Impl().name);
            stop(); // @interface-static
            return sum;
        }
    }

    static class Impl implements Left, Corner {
        String name = "impl";

        @Override
        public String side() {
            return "impl";
        }

        void both() {
            Corner.super.side();
            is("Left.super.side()", Left.super.side());
            is("side()", side());
            is("Left.SIDE - Corner.SIDE", Left.SIDE - Corner.SIDE);
            is("((Left) this).side() + name", ((Left) this).side() + name);
            is("Left.super.side().length() + Left.SIDE", Left.super.side().length() + Left.SIDE);
            stop(); // @diamond
        }
    }

    static void switches(int number, String word, Shade shade) {
        switch (word) {
            case "one":
                throw new IllegalStateException();
            case "two":
                String found = word + number;
                is("found", found);
                is("word.length() + number", word.length() + number);
                is("switch (shade) { case LIGHT -> 1; case DARK -> number; }",
                        switch (shade) { case LIGHT -> 1; case DARK -> number; });
                stop(); // @string-switch
                break;
            default:
                break;
        }
        int result = switch (shade) {
            case DARK -> {
                int inside = number * 2;
                is("inside + number", inside + number);
                is("shade == Shade.DARK", shade == Shade.DARK);
                is("inside > 5 ? word : shade", inside > 5 ? word : shade);
                stop(); // @switch-expression
                yield inside;
            }
            default -> 0;
        };
        Object any = result;
        if (any instanceof Integer whole && whole > 1) {
            is("whole + 1", whole + 1);
            is("any == whole", any == whole);
            is("result", result);
            stop(); // @pattern-variable
        }
    }

    static void resources(String name) {
        record Resource(String name) implements AutoCloseable {
            @Override
            public void close() {}
        }
        try (Resource opened = new Resource(name); var second = new Resource("b")) {
            is("opened.name() + second.name", opened.name() + second.name);
            is("opened.equals(new Resource(\"file\"))", opened.equals(new Resource("file")));
            stop(); // @resources
            throw new IllegalArgumentException("told");
        } catch (IllegalArgumentException | IllegalStateException caught) {
            is("caught.getMessage()", caught.getMessage());
            is("caught instanceof IllegalArgumentException",
                    caught instanceof IllegalArgumentException);
            stop(); // @multi-catch
        } finally {
            int last = name.length();
            is("last + name", last + name);
            stop(); // @finally
        }
        for (Entry<String, Integer> each : Map.of("k", 1).entrySet()) {
            is("each.getKey() + each.getValue()", each.getKey() + each.getValue());
            is("each.getValue() + 1", each.getValue() + 1);
            stop(); // @each
        }
    }

    static void nested(int factor, String text) {
        Supplier<Callable<String>> outer = () -> {
            int middle = factor + 1;
            return new Callable<>() {
                private int calls = 1;

                @Override
                public String call() {
                    Supplier<String> innermost = () -> {
                        String made = text + middle;
                        is("made", made);
                        is("middle + factor", middle + factor);
                        is("text.length() * calls", text.length() * calls);
                        is("calls++ + ++calls", calls++ + ++calls);
                        is("this.calls = 1", this.calls = 1);
                        is("toString() == null", toString() == null);
                        stop(); // @lambda-in-anonymous
                        return made;
                    };
                    is("middle * factor", middle * factor);
                    is("text + calls", text + calls);
                    is("this.calls", this.calls);
                    stop(); // @anonymous-in-lambda
                    return innermost.get();
                }
            };
        };
        try {
            outer.get().call();
        } catch (Exception unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    static void imported(int number) {
        is("abs(number) + max(1, 2L)", abs(number) + max(1, 2L));
        is("PI > 3 && floorMod(number, 2) == 1", PI > 3 && floorMod(number, 2) == 1);
        is("abs(-1.5f)", abs(-1.5f));
        is("entry(\"a\", number).getValue() - 1", entry("a", number).getValue() - 1);
        is("SECONDS.toMillis(2)", SECONDS.toMillis(2));
        is("SECONDS", SECONDS);
        is("((Serializable & Comparable<String>) \"b\").compareTo(\"a\")",
                ((Serializable & Comparable<String>) "b").compareTo("a"));
        stop(); // @imported
    }
}
