// SPDX-License-Identifier: Apache-2.0
package everyday;

import static expect.Expect.fails;
import static expect.Expect.ignore;
import static expect.Expect.is;
import static expect.Expect.makes;
import static expect.Expect.runs;
import static expect.Expect.stop;

import everyday.other.Parent;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Names: hidden, shadowed, inherited, private to a nest, of classes and packages. */
final class Places {
    static String shadowed = "field of Places";
    static String describe(String any) { return "places " + any; }
    static int count = 1;
    private static final int SECRET = 42;
    private int own = 11;

    /** What variables may hide. */
    static class everyday {
        static int value = 5;
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @interface Marked {
        String value() default "none";

        int[] levels() default {1, 2};
    }

    enum Level implements Scored {
        LOW(1),
        HIGH(10) {
            @Override
            public int score() {
                return super.score() + own();
            }

            private int own() {
                return 5;
            }
        };

        private final int points;

        Level(int points) {
            this.points = points;
        }

        @Override
        public int score() {
            return points;
        }

        static Level best() {
            return HIGH;
        }
    }

    /** The methods that other texts call too are looked into once. */
    static class Stopped {
        static boolean once;
        static boolean atEnd;
    }

    interface Scored {
        int BONUS = 100;

        int score();

        default int withBonus() {
            return score() + hidden();
        }

        private int hidden() {
            if (Stopped.once) {
                return BONUS;
            }
            Stopped.once = true;
            is(score());
            is(this.score() + BONUS);
            is(hidden2());
            is(Scored.best(this));
            is(best(this));
            stop(); // @private-of-interface
            return BONUS;
        }

        private int hidden2() {
            return 2;
        }

        static String best(Scored scored) {
            return "best " + scored.score();
        }
    }

    @Marked(value = "me", levels = 9)
    static class Child extends Parent implements Scored, Comparable<Child> {
        private String name = "child";
        protected int count = 200;
        static String kind = "kind of child";
        static int made;
        final int[] data = {4, 5, 6};

        @Override
        public String greet() {
            return "hello from child";
        }

        @Override
        public int score() {
            return 50;
        }

        @Override
        public int compareTo(Child other) {
            return 0;
        }

        private String describe(String text) {
            return "child " + text;
        }

        void look(String shadowed, int local, Parent other, Child peer, Level level, String String, int everyday) {
            is(count);
            is(this.count);
            is(super.count);
            is(((Parent) this).tags.size());
            is(name);
            is(super.name());
            is(name());
            is(peer.name);
            is(peer.count + ((Child) peer).count);
            is(kind);
            is(Parent.kind);
            is(super.kind);
            is(Child.kind);
            is(twice(4));
            is(Parent.twice(5));
            is(greet());
            is(super.greet());
            is(this.greet());
            is(peer.greet());
            is(describe("x"));
            is(describe(5));
            is(super.describe("y"));
            is(describe((Object) "z"));
            is(shadowed);
            is(Places.shadowed);
            is(local);
            is(String.length());
            is(java.lang.String.valueOf(1));
            is(everyday + Places.everyday.value);
            is(tags.get(0) + this.tags.get(1));
            is(data[1] + peer.data[2]);
            is(data.length);
            is(withBonus());
            is(Scored.super.withBonus());
            is(BONUS + Scored.BONUS + Child.BONUS);
            is(Scored.best(this));
            is(compareTo(peer));
            is(((Comparable<Child>) this).compareTo(peer));
            is(SECRET + Places.SECRET);
            is(new Places().own);
            is(new Tool().weight);
            is(new Parent.Tool().weight);
            is(level.points + Level.LOW.points);
            is(Level.HIGH.score());
            is(Level.valueOf("LOW").ordinal());
            is(Level.values().length);
            is(Level.best().name());
            is(level == Level.LOW);
            is(level.compareTo(Level.HIGH));
            is(Level.HIGH.getClass() == Level.class);
            is(Level.HIGH.getDeclaringClass());
            is(getClass().getAnnotation(Marked.class).value());
            is(Child.class.getAnnotation(Marked.class).levels()[0]);
            is(getClass().isAnnotationPresent(Deprecated.class));
            is(this instanceof Scored && this instanceof Parent);
            is(other instanceof Child ? ((Child) other).name : other.name());
            is(other instanceof Child c && c.name.equals("child"));
            is(!(other instanceof Child c) || c.count == 200);
            is(toString().startsWith("everyday"));
            is(hashCode() == System.identityHashCode(this));
            is(equals(peer) || !equals(this));
            is(super.toString().length() > 5);
            is(Map.Entry.class.getSimpleName());
            is(java.util.Map.Entry.<String, Integer>comparingByKey().compare(Map.entry("a", 1), Map.entry("b", 1)));
            is(Thread.currentThread().getStackTrace().length > 1);
            is(System.getProperty("java.version").isEmpty());
            is(Thread.State.NEW.ordinal());
            makes(new Places.Child().name);
            runs("int", () -> { this.count += 5; this.count -= 5; return count; });
            runs("int", () -> { super.count++; return --super.count; });
            runs("new", () -> { String x = this.name; this.name = "new"; x += name; name = "child"; return x; });
            runs("new", () -> { String x = peer.name; peer.name = "p"; x += peer.name; peer.name = "child"; return x; });
            stop(); // @child
        }
    }

    class Inner {
        int own = 22;
        int level = 1;

        class Innermost extends Inner {
            int own = 33;

            int probe(int own) {
                is(own);
                is(this.own);
                is(super.own);
                is(Inner.this.own);
                is(Places.this.own);
                is(level + this.level + Inner.this.level);
                is(new Inner().own);
                is(Places.this.new Inner().own);
                is(Inner.this.new Innermost().own);
                is(new Innermost().level);
                is(Places.count);
                is(count);
                is(outerOnly());
                is(Places.this.outerOnly());
                is(describe("q"));
                is(new Inner() { int own = 7; int twice() { return own * 2 + level + count; } }.twice());
                is(new Object() { int at = own + level; }.at);
                stop(); // @innermost
                return own;
            }
        }
    }

    private int outerOnly() {
        return own * 2;
    }

    static class Node<T extends Comparable<T>> implements Iterable<T> {
        final T value;
        Node<T> next;

        Node(T value, Node<T> next) {
            this.value = value;
            this.next = next;
        }

        @Override
        public Iterator<T> iterator() {
            return new Iterator<>() {
                Node<T> at = Node.this;

                @Override
                public boolean hasNext() {
                    return at != null;
                }

                @Override
                public T next() {
                    T found = at.value;
                    if (at.next == null && !Stopped.atEnd) {
                        Stopped.atEnd = true;
                        is(at.value);
                        is(found.compareTo(value));
                        is(value == Node.this.value);
                        is(Node.this.next.value);
                        is(this.at == at);
                        is(hasNext());
                        is(next != null);
                        is(getClass().getSimpleName().isEmpty());
                        stop(); // @iterator
                    }
                    at = at.next;
                    return found;
                }
            };
        }

        <R extends List<? super T>> R into(R list, Map<? super T, Integer> ranks) {
            is(value.compareTo(next.value) < 0);
            is(next.value.hashCode() == next.value.hashCode());
            is(next.next == null);
            is(list.size());
            is(ranks.get(value));
            is(ranks.get(value) + 1);
            is(ranks.getOrDefault(next.value, 5));
            is(new Node<>(value, null).value);
            is(new Node<>("z", this.next == null ? null : new Node<String>("y", null)).next.value.length());
            is(new Node<Integer>(5, null).value + 1);
            is(this.<List<Object>>copy(new ArrayList<Object>()).size());
            is(((Comparable<T>) value).compareTo(value));
            runs("int", () -> { int n = 0; for (T each : this) n += each.compareTo(value); return n; });
            runs("int", () -> { int n = 0; for (Node<T> at = this; at != null; at = at.next) n++; return n; });
            stop(); // @node
            return list;
        }

        <L> L copy(L list) {
            return list;
        }
    }

    record Point(int x, int y) {
        static final Point ORIGIN = new Point(0, 0);

        Point {
            if (x < 0) {
                throw new IllegalArgumentException("x is " + x);
            }
        }

        Point(int both) {
            this(both, both);
        }

        double distance(Point other) {
            is(x + y());
            is(this.x - other.x);
            is(other.y() * 2);
            is(equals(other));
            is(new Point(1, 2).equals(new Point(1, 2)));
            is(new Point(3).y);
            is(ORIGIN.x);
            is(ORIGIN.distance2(this));
            is(toString());
            is(new Point(5, 6).toString());
            is(hashCode() == new Point(x, y).hashCode());
            fails(() -> ignore(new Point(-1)));
            stop(); // @record
            return Math.hypot(x - other.x, y - other.y);
        }

        private int distance2(Point other) {
            return other.x * other.x + other.y * other.y;
        }
    }

    static void visit() {
        new Child().withBonus();
        new Child().look("parameter", 77, new Child(), new Child(), Level.LOW, "named String", 3);
        Inner inner = new Places().new Inner();
        inner.new Innermost().probe(44);
        Node<String> node = new Node<>("a", new Node<>("b", null));
        for (String each : node) {
            ignore(each);
        }
        node.into(new ArrayList<Object>(), new TreeMap<>(Map.of("a", 3)));
        new Point(3, 4).distance(new Point(1));
    }
}
