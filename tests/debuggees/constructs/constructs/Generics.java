// SPDX-License-Identifier: Apache-2.0
package constructs;

import static expect.Expect.fails;
import static expect.Expect.ignore;
import static expect.Expect.is;
import static expect.Expect.stop;
import static java.util.Map.entry;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;

/** Classes in classes, with type parameters everywhere. */
final class Generics {
    private Generics() {}

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
            is("Generics.Outer.Hidden.Deep.make()", Generics.Outer.Hidden.Deep.make());
            is("constructs.Generics.Outer.Hidden.Deep.VALUE",
                    constructs.Generics.Outer.Hidden.Deep.VALUE);
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
}
