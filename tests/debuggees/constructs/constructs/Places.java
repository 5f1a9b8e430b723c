// SPDX-License-Identifier: Apache-2.0
package constructs;

import static constructs.Expect.all;
import static constructs.Expect.fails;
import static constructs.Expect.ignore;
import static constructs.Expect.is;
import static constructs.Expect.makes;
import static constructs.Expect.stop;
import static java.lang.Math.*;
import static java.util.Map.entry;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
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
        new Outer<>("out").work(List.of("a"));
        bounded(3, List.of(4), new TreeMap<>(Map.of("k", List.of(Map.of(1, "deep")))));
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

    static class Outer<A extends Comparable<A>> {
        private final A value;
        private int secret = 11;
        private static String hush = "hush";

        Outer(A value) {
            this.value = value;
        }

        private String reveal(int times) {
            return "r".repeat(times) + secret;
        }

        <B> B identity(B given) {
            return given;
        }

        static <B extends Comparable<B>> B larger(B one, B other) {
            return one.compareTo(other) > 0 ? one : other;
        }

        void work(List<A> more) {
            Outer<Integer> other = new Outer<>(7);
            Inner<String> inner = new Inner<>("in");
            Inner<String>.Deepest deepest = inner.new Deepest();
            is("other.new Inner<String>(\"x\").joined()", other.new Inner<String>("x").joined());
            is("other.new Inner<>(\"x\").part.length()", other.new Inner<>("x").part.length());
            is("this.new Inner<>(4).part + 1", this.new Inner<>(4).part + 1);
            is("new Inner<>(\"y\").joined()", new Inner<>("y").joined());
            is("inner.new Deepest().all()", inner.new Deepest().all());
            is("deepest.all()", deepest.all());
            is("new Outer<>(5).new Inner<>('c').new Deepest().all()",
                    new Outer<>(5).new Inner<>('c').new Deepest().all());
            is("new Outer<>(5).value + 1", new Outer<>(5).value + 1);
            is("other.value + other.secret", other.value + other.secret);
            is("other.reveal(2)", other.reveal(2));
            is("Outer.hush + hush", Outer.hush + hush);
            is("new Hidden().hidden", new Hidden().hidden);
            is("new Outer.Hidden(3).hidden", new Outer.Hidden(3).hidden);
            is("Hidden.Deep.VALUE + Outer.Hidden.Deep.VALUE",
                    Hidden.Deep.VALUE + Outer.Hidden.Deep.VALUE);
            is("Places.Outer.Hidden.Deep.make()", Places.Outer.Hidden.Deep.make());
            is("constructs.Places.Outer.Hidden.Deep.VALUE",
                    constructs.Places.Outer.Hidden.Deep.VALUE);
            is("this.<String>identity(\"a\").length()", this.<String>identity("a").length());
            is("this.<Integer>identity(5) + 1", this.<Integer>identity(5) + 1);
            is("identity(5) + 1", identity(5) + 1);
            is("identity(value).compareTo(more.get(0)) > 0",
                    identity(value).compareTo(more.get(0)) > 0);
            is("Outer.<String>larger(\"a\", \"b\").length()",
                    Outer.<String>larger("a", "b").length());
            is("Outer.larger(2, 3) * 2", Outer.larger(2, 3) * 2);
            is("larger(\"x\", \"y\")", larger("x", "y"));
            is("Collections.<String>emptyList().size()", Collections.<String>emptyList().size());
            is("List.<Object>of(1, \"a\").get(1)", List.<Object>of(1, "a").get(1));
            is("Optional.<String>empty().isPresent()", Optional.<String>empty().isPresent());
            is("Optional.of(\"text\").get().length()", Optional.of("text").get().length());
            is("value.compareTo(value)", value.compareTo(value));
            stop(); // @outer
            inner.look(deepest);
        }

        class Inner<B> {
            final B part;
            private int secret = 22;

            Inner(B part) {
                this.part = part;
            }

            private String joined() {
                return "" + value + part;
            }

            void look(Deepest given) {
                is("part", part);
                is("value", value);
                is("secret - Outer.this.secret", secret - Outer.this.secret);
                is("Outer.this.secret++", Outer.this.secret++);
                is("--Outer.this.secret", --Outer.this.secret);
                is("reveal(1) + Outer.this.reveal(2)", reveal(1) + Outer.this.reveal(2));
                is("joined() + this.joined()", joined() + this.joined());
                is("Outer.this.value == value", Outer.this.value == value);
                is("given.all().length()", given.all().length());
                is("new Deepest().all()", new Deepest().all());
                is("this.new Deepest().own", this.new Deepest().own);
                is("Outer.this.new Inner<>(3).part * 2", Outer.this.new Inner<>(3).part * 2);
                is("new Outer<>(\"z\").new Inner<>(\"w\").joined()",
                        new Outer<>("z").new Inner<>("w").joined());
                is("hush", hush);
                fails("((Outer<String>) null).new Inner<>(1)",
                        () -> ignore(((Outer<String>) null).new Inner<>(1)));
                stop(); // @inner
                given.dig(part, 1);
            }

            class Deepest {
                String own = "own";

                String all() {
                    return "" + value + part + own;
                }

                void dig(B other, int again) {
                    is("own + part + value", own + part + value);
                    is("other.equals(part)", other.equals(part));
                    is("Inner.this.part == other", Inner.this.part == other);
                    is("secret + Outer.this.secret", secret + Outer.this.secret);
                    is("Outer.this.reveal(again)", Outer.this.reveal(again));
                    is("joined()", joined());
                    is("Deepest.this == this", Deepest.this == this);
                    stop(); // @deepest
                }
            }
        }

        private static class Hidden {
            private int hidden = 33;

            Hidden() {}

            private Hidden(int hidden) {
                this.hidden = hidden;
            }

            static class Deep {
                static final int VALUE = 44;

                private static String make() {
                    return "made";
                }
            }
        }
    }

    static <N extends Number & Comparable<N>, M extends Map<String, List<Map<Integer, String>>>>
            void bounded(N number, List<? super N> sink, M map) {
        List raw = new ArrayList<>(List.of("r"));
        List<? extends CharSequence> texts = List.of("one", new StringBuilder("two"));
        ArrayList<String> array = new ArrayList<>(List.of("a"));
        LinkedList<String> linked = new LinkedList<>(List.of("bb"));
        Map<String, ? extends List<Integer>> lists = Map.of("k", List.of(9));
        boolean yes = true;
        is("number.compareTo(number)", number.compareTo(number));
        is("number.intValue() + number.doubleValue()", number.intValue() + number.doubleValue());
        is("number", number);
        is("sink.get(0)", sink.get(0));
        is("map.get(\"k\").get(0).get(1).length()", map.get("k").get(0).get(1).length());
        is("map.entrySet().iterator().next().getValue().get(0).get(1)",
                map.entrySet().iterator().next().getValue().get(0).get(1));
        is("map.entrySet().iterator().next().getKey().length()",
                map.entrySet().iterator().next().getKey().length());
        is("raw.get(0)", raw.get(0));
        is("((String) raw.get(0)).length()", ((String) raw.get(0)).length());
        is("texts.get(1).length() + texts.get(0).charAt(0)",
                texts.get(1).length() + texts.get(0).charAt(0));
        is("lists.get(\"k\").get(0) + 1", lists.get("k").get(0) + 1);
        is("(yes ? array : linked).get(0).length()", (yes ? array : linked).get(0).length());
        is("(yes ? array : linked).size()", (yes ? array : linked).size());
        is("(yes ? number : \"x\").hashCode() == number.hashCode()",
                (yes ? number : "x").hashCode() == number.hashCode());
        is("yes ? array.get(0) : texts", yes ? array.get(0) : texts);
        is("new ArrayList<>(array).get(0).length()", new ArrayList<>(array).get(0).length());
        is("new ArrayList<String>(array) {{ }}.size() == 1",
                new ArrayList<String>(array) {{ }}.size() == 1);
        is("Map.of(\"a\", List.of(1)).get(\"a\").get(0) + 1",
                Map.of("a", List.of(1)).get("a").get(0) + 1);
        is("new LinkedHashMap<String, Integer>(Map.of(\"z\", 1)).get(\"z\") + 1",
                new LinkedHashMap<String, Integer>(Map.of("z", 1)).get("z") + 1);
        is("Collections.max(List.of(3, 9, 4)) + 1", Collections.max(List.of(3, 9, 4)) + 1);
        is("Collections.unmodifiableList(array).get(0).length()",
                Collections.unmodifiableList(array).get(0).length());
        is("List.copyOf(array).get(0).charAt(0)", List.copyOf(array).get(0).charAt(0));
        is("entry(\"k\", 2).getValue() + 1", entry("k", 2).getValue() + 1);
        is("Entry.comparingByKey() != null", Entry.comparingByKey() != null);
        stop(); // @bounded
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
