// SPDX-License-Identifier: Apache-2.0
package values;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Values in every kind of place, to be denoted by expressions. */
public class Main extends Base {
    private static int made = 3;
    public static final String TITLE = "title";
    private final List<String> names = new ArrayList<>(List.of("n"));
    private int total = 12;
    protected Object anything = new int[] {7, 8};
    Inner inner = new Inner();

    class Inner {
        private String own = "own";
    }

    static class Key {
        final String id;

        Key(String id) {
            this.id = id;
        }
    }

    /** Says how often it was asked. */
    static class Talking {
        static int asked;
        int state = 1;

        @Override
        public String toString() {
            asked++;
            return "talking";
        }
    }

    static class Failing {
        @Override
        public String toString() {
            throw new IllegalStateException("no text");
        }
    }

    enum Mood {
        GOOD {
            @Override
            public String toString() {
                return "fine";
            }
        },
        BAD
    }

    record Named(String name) {
        @Override
        public String toString() {
            return "I am " + name;
        }
    }

    record Plain(String name) {}

    static class Money {
        final long cents = 1250;
        final String currency = "EUR";
    }

    public static void main(String[] args) throws Exception {
        new Main().run(5, "argument");
    }

    void run(int count, String word) throws Exception {
        int captured = count * 2;
        Map<Key, Object> byKey = new HashMap<>();
        byKey.put(new Key("k1"), "v1");
        byKey.put(new Key("k2"), new int[] {1});
        Map<Key, Integer> linked = new LinkedHashMap<>();
        linked.put(new Key("l"), 1);
        Map<Object, Object> tree = new TreeMap<>(Map.of("a", 1, "b\n\"", 2));
        Map<Object, Object> simple = new HashMap<>();
        simple.put(1L, "long");
        simple.put('c', "char");
        simple.put(null, "null");
        simple.put(1.5f, "float");
        simple.put((short) 3, "short");
        simple.put(Thread.State.NEW, "enum");
        Set<Object> set = Set.of("x", "y", "z");
        Object hidden = new ArrayList<>(List.of(new int[][] {{1, 2}, {3}}));
        ArrayDeque<Integer> deque = new ArrayDeque<>(List.of(1, 2));
        Optional<String> optional = Optional.of("o");
        List<Integer> wrapped = Collections.unmodifiableList(List.of(4, 5, 6));
        AtomicReference<Object> loop = new AtomicReference<>();
        loop.set(loop);
        IntUnaryOperator lambda = each -> each + captured + total;
        Supplier<String> reference = word::trim;
        Stream<Integer> stream = List.of(1, 2).stream().map(each -> each + 1);
        Iterator<Integer> iterator = deque.iterator();
        Talking talking = new Talking();
        Failing failing = new Failing();
        Money money = new Money();
        Object[] said = {Mood.GOOD, new Named("n"), Mood.BAD, new Plain("p")};
        RuntimeException error =
                new IllegalArgumentException(
                        "outer", new IllegalStateException("middle", new Exception("inner")));
        error.addSuppressed(new RuntimeException("suppressed"));
        long[] longs = {1, -1};
        Object anonymous =
                new Object() {
                    private int field = captured;
                    Object self = this;

                    Object look(int argument) {
                        String here = word + argument + total + field;
                        return here; // @inside
                    }

                    @Override
                    public String toString() {
                        return String.valueOf(look(1));
                    }
                };
        int before = Talking.asked;
        anonymous.toString();
        Object end = List.of(before, byKey, linked, tree, set, hidden, optional); // @shown
        try {
            throw error;
        } catch (IllegalArgumentException caught) {
            System.out.println(caught.getMessage());
        }
        int rest = iterator.next() + stream.mapToInt(each -> each).sum() + lambda.applyAsInt(1);
        System.out.println(rest + reference.get() + (Talking.asked == before ? " quiet" : " loud"));
        System.out.println(end.hashCode() + longs.length + wrapped.size() + loop.hashCode() != 0);
    }
}
