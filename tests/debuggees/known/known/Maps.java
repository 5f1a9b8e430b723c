// SPDX-License-Identifier: Apache-2.0
package known;

import static known.Said.elements;
import static known.Said.entries;
import static known.Said.inside;
import static known.Said.say;
import static known.Said.text;

import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Maps, and what shows them otherwise. */
final class Maps {
    private Maps() {}

    static void make() {
        Map<Integer, String> many = new TreeMap<>();
        IntStream.range(0, 60).forEach(each -> many.put(each * 7919 % 101, "v" + each));
        Map<String, Integer> withNull = new HashMap<>();
        withNull.put(null, null);
        withNull.put("a", null);
        Map<Clash, Integer> clashing = new HashMap<>();
        Map<Clash, Integer> concurrent = new ConcurrentHashMap<>();
        for (int i = 0; i < 80; i++) {
            clashing.put(new Clash(i), i);
            concurrent.put(new Clash(i), i);
        }
        entries(new HashMap<>(many));
        entries(withNull);
        say(clashing, clashing.values().stream().sorted().map(String::valueOf).toArray(String[]::new));
        say(
                concurrent,
                concurrent.values().stream().sorted().map(String::valueOf).toArray(String[]::new));
        entries(new LinkedHashMap<>(many));
        entries(many);
        entries(new ConcurrentHashMap<>(many));
        entries(new Hashtable<>(Map.of("h", 1)));
        Properties properties = new Properties();
        properties.put("p", "q");
        entries(properties);
        EnumMap<TimeUnit, String> units = new EnumMap<>(TimeUnit.class);
        units.put(TimeUnit.SECONDS, null);
        units.put(TimeUnit.DAYS, "d");
        entries(units);
        entries(new IdentityHashMap<>(Map.of("i", 1)));
        entries(new WeakHashMap<>(Map.of("w", 1)));
        entries(Map.of());
        entries(Map.of("a", 1));
        entries(Map.of("a", 1, "b", 2, "c", 3, "d", 4, "e", 5));
        entries(Collections.emptyMap());
        entries(Collections.singletonMap("a", null));
        entries(Collections.unmodifiableMap(new LinkedHashMap<>(many)));
        entries(Collections.synchronizedMap(new TreeMap<>(many)));
        views(many);
        parts(many);
        nulls();
        text(Map.entry("k", 1));
        text(new AbstractMap.SimpleEntry<>("k", 2));
        text(many.entrySet().iterator().next());
    }

    /** What shows a part of a map. */
    private static void views(Map<Integer, String> many) {
        Map<Integer, String> linked = new LinkedHashMap<>(many);
        elements(new HashMap<>(many).keySet());
        elements(linked.keySet());
        elements(linked.values());
        elements(linked.entrySet());
        elements(many.keySet());
        elements(many.values());
        elements(new ConcurrentHashMap<>(many).values());
        elements(new HashMap<>(many).entrySet());
        elements(many.entrySet());
        elements(new ConcurrentHashMap<>(many).keySet());
        elements(new ConcurrentHashMap<>(many).entrySet());
        elements(new Hashtable<>(many).keySet());
        elements(new Hashtable<>(many).values());
        elements(new Hashtable<>(many).entrySet());
        elements(new WeakHashMap<>(Map.of("w", 1)).keySet());
        elements(new IdentityHashMap<>(Map.of("i", 1)).values());
        elements(new IdentityHashMap<>(Map.of("i", 1)).keySet());
        inside(new EnumMap<>(Map.of(TimeUnit.DAYS, "d")).entrySet(), "DAYS=d");
        elements(new EnumMap<>(Map.of(TimeUnit.DAYS, "d")).keySet());
        elements(Map.of("a", 1, "b", 2, "c", 3).keySet());
        elements(Map.of("a", 1, "b", 2, "c", 3).values());
        inside(Map.of("a", 1).entrySet(), "a=1");
        inside(Map.of("a", 1, "b", 2, "c", 3).entrySet(), entriesOf(Map.of("a", 1, "b", 2, "c", 3)));
        elements(Collections.unmodifiableMap(linked).keySet());
        elements(Collections.synchronizedMap(linked).values());
        elements(Collections.singletonMap("a", 1).keySet());
        elements(Collections.checkedMap(linked, Integer.class, String.class).keySet());
        elements(Collections.unmodifiableMap(new TreeMap<>(many)).entrySet());
    }

    private static Object[] entriesOf(Map<?, ?> map) {
        return map.entrySet().toArray();
    }

    /** Parts of sorted maps: in another order, without their ends. */
    private static void parts(Map<Integer, String> many) {
        TreeMap<Integer, String> tree = new TreeMap<>(many);
        entries(tree.descendingMap());
        entries(tree.subMap(10, true, 20, true));
        entries(tree.headMap(10));
        entries(tree.tailMap(90, false).descendingMap());
        entries(new TreeMap<>(Map.of("b", 1, "a\u00e9", 2, "a", 3, "\ud83d\ude00", 4)).headMap("z"));
        elements(tree.subMap(10, 20).keySet());
        elements(tree.descendingMap().values());
        elements(tree.navigableKeySet());
        TreeMap<Integer, String> backwards = new TreeMap<>(Comparator.reverseOrder());
        backwards.putAll(many);
        entries(backwards);
        entries(backwards.headMap(50));
        ConcurrentSkipListMap<Integer, String> skips = new ConcurrentSkipListMap<>(many);
        skips.remove(many.keySet().iterator().next());
        entries(skips);
        entries(new ConcurrentSkipListMap<>());
        entries(skips.descendingMap());
        entries(skips.subMap(20, 40));
        elements(skips.keySet());
        elements(skips.values());
        inside(skips.entrySet(), entriesOf(skips));
        Map<Integer, Integer> larger = new ConcurrentSkipListMap<>();
        IntStream.range(0, 2000).forEach(each -> larger.put(each, -each));
        entries(larger);
    }

    /** Null as a key, and keys that are gone. */
    private static void nulls() {
        Map<String, Integer> weak = new WeakHashMap<>();
        weak.put(null, 1);
        entries(weak);
        Map<String, Integer> identity = new IdentityHashMap<>();
        identity.put(null, null);
        entries(identity);
        Map<String, Integer> linked = new LinkedHashMap<>();
        linked.put(null, null);
        entries(linked);
        Map<Object, Object> mine = new Mine();
        mine.put("a", 1);
        entries(mine);
        entries(new HashMap<>());
        entries(new TreeMap<>());
        entries(new LinkedHashMap<>());
        entries(new ConcurrentHashMap<>());
        entries(new EnumMap<>(TimeUnit.class));
        entries(Collections.emptySortedMap());
    }

    /** Has fields with the names of those that it inherits. */
    static final class Mine extends HashMap<Object, Object> {
        int size = 99;
        Object table = "mine";
    }

    /** Has the same hash as all others of its kind. */
    static final class Clash implements Comparable<Clash> {
        private final int number;

        Clash(int number) {
            this.number = number;
        }

        @Override
        public int hashCode() {
            return 7;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Clash && number == ((Clash) other).number;
        }

        @Override
        public int compareTo(Clash other) {
            return Integer.compare(number, other.number);
        }
    }

    /** Since Java 21. */
    static void reversed() throws Exception {
        if (Runtime.version().feature() < 21) {
            return;
        }
        List<Integer> some = List.of(1, 2, 3);
        elements((List<?>) List.class.getMethod("reversed").invoke(new ArrayList<>(some)));
        elements((Collection<?>) Deque.class.getMethod("reversed").invoke(new ArrayDeque<>(some)));
        Map<String, Integer> linked = new LinkedHashMap<>();
        linked.put("a", 1);
        linked.put("b", 2);
        entries((Map<?, ?>) LinkedHashMap.class.getMethod("reversed").invoke(linked));
    }
}
