// SPDX-License-Identifier: Apache-2.0
package reading;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.WeakHashMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** One object of each kind whose methods a debugger may compute without running them. */
public final class Main {
    enum Deck {
        UPPER,
        LOWER;

        boolean isDry() {
            return this == UPPER;
        }
    }

    record Point(int x, long y) {
        Point moved(int by) {
            return new Point(x + by, y);
        }
    }

    record Named(String name, Point at, Deck deck) {}

    static class Cargo {
        final String name;
        final int weight;
        private int looks;

        Cargo(String name, int weight) {
            this.name = name;
            this.weight = weight;
        }

        boolean isHeavy() {
            return weight > LIMIT;
        }

        int price(int factor) {
            int sum = 0;
            for (int each = 0; each < factor; each++) {
                sum += weight;
            }
            return sum;
        }

        String label() {
            return name + ":" + weight + (isHeavy() ? "!" : "");
        }

        String checked(int index) {
            try {
                return name.substring(index);
            } catch (StringIndexOutOfBoundsException e) {
                return "caught";
            } finally {
                Math.abs(index);
            }
        }

        int failing() {
            return weight / (weight - weight);
        }

        int look() {
            return ++looks;
        }

        int nestedLook() {
            return look() + 1;
        }

        synchronized int guarded() {
            synchronized (name) {
                return weight;
            }
        }

        long endless() {
            long number = 0;
            while (true) {
                number++;
            }
        }

        int deep(int levels) {
            return deep(levels + 1) + 1;
        }

        int[] squares(int count) {
            int[] found = new int[count];
            for (int each = 0; each < count; each++) {
                found[each] = each * each;
            }
            return found;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Cargo && ((Cargo) other).name.equals(name);
        }

        @Override
        public int hashCode() {
            return name.hashCode();
        }

        @Override
        public String toString() {
            return "Cargo " + label();
        }
    }

    static final class Box<T> {
        private final T value;

        Box(T value) {
            this.value = value;
        }

        T get() {
            return value;
        }
    }

    static class Unused {
        static final List<String> WORDS = new ArrayList<>(List.of("never"));

        static int size() {
            return WORDS.size();
        }
    }

    static final int LIMIT = 5;
    static Map<String, Cargo> holds = new HashMap<>();
    static Map<Integer, String> large = new HashMap<>();
    static AtomicInteger turns = new AtomicInteger();

    static int total() {
        int sum = 0;
        for (Cargo each : holds.values()) {
            sum += each.weight;
        }
        return sum;
    }

    static String joined(List<String> words) {
        StringBuilder found = new StringBuilder();
        for (String each : words) {
            found.append(each).append(',');
        }
        return found.toString();
    }

    public static void main(String[] arguments) throws Exception {
        holds.put("fore", new Cargo("grain", 3));
        holds.put("aft", new Cargo("ore", 9));
        for (int each = 0; each < 2_000; each++) {
            large.put(each, "number " + each);
        }
        fill(arguments.length > 0);
    }

    static void fill(boolean runs) throws Exception {
        Map<Deck, String> decks = new EnumMap<>(Deck.class);
        decks.put(Deck.LOWER, "wet");
        Map<Deck, String> hashed = new HashMap<>();
        hashed.put(Deck.UPPER, "dry");
        Map<String, Integer> sorted = new TreeMap<>();
        Map<String, Integer> backwards = new TreeMap<>(Collections.reverseOrder());
        Map<String, Integer> by = new TreeMap<>((left, right) -> right.compareTo(left));
        Map<String, Integer> linked = new LinkedHashMap<>();
        Map<String, Integer> ordered = new LinkedHashMap<>(16, 0.75f, true);
        Map<String, Integer> concurrent = new ConcurrentHashMap<>();
        Map<String, Integer> skipping = new ConcurrentSkipListMap<>();
        Map<String, Integer> table = new Hashtable<>();
        Map<String, Integer> weak = new WeakHashMap<>();
        Map<String, Integer> identity = new IdentityHashMap<>();
        String[] words = {"one", "two", "three", "four"};
        for (Map<String, Integer> map :
                List.of(sorted, backwards, by, linked, ordered, concurrent, skipping, table, weak)) {
            for (String word : words) {
                map.put(word, word.length() * 100);
            }
        }
        identity.put(words[0], 1);
        Map<String, Integer> unmodifiable = Collections.unmodifiableMap(linked);
        Map<String, Integer> synced = Collections.synchronizedMap(linked);
        Map<String, Integer> fixed = Map.of("one", 1, "two", 2, "three", 3);
        Map<String, Integer> single = Map.of("one", 1);
        List<String> list = new ArrayList<>(Arrays.asList(words));
        List<String> links = new LinkedList<>(list);
        List<String> copying = new CopyOnWriteArrayList<>(list);
        List<String> immutable = List.of("a", "b", "c");
        List<String> two = List.of("a", "b");
        List<String> vector = new Vector<>(list);
        List<String> part = list.subList(1, 3);
        List<String> asList = Arrays.asList(words);
        Set<String> set = new HashSet<>(list);
        Set<String> linkedSet = new LinkedHashSet<>(list);
        TreeSet<String> tree = new TreeSet<>(list);
        Set<Deck> some = EnumSet.of(Deck.LOWER);
        Set<String> fixedSet = Set.of("x", "y", "z");
        Set<String> keys = linked.keySet();
        ArrayDeque<String> deque = new ArrayDeque<>(list);
        PriorityQueue<String> queue = new PriorityQueue<>(list);
        ConcurrentLinkedQueue<String> free = new ConcurrentLinkedQueue<>(list);
        LinkedBlockingQueue<String> blocking = new LinkedBlockingQueue<>(list);
        ArrayBlockingQueue<String> bounded = new ArrayBlockingQueue<>(8, false, list);
        BitSet bits = BitSet.valueOf(new long[] {5});
        Properties properties = new Properties();
        properties.setProperty("key", "set");
        Optional<String> present = Optional.of("here");
        Optional<String> absent = Optional.empty();
        OptionalInt number = OptionalInt.of(7);
        AtomicInteger counter = new AtomicInteger(41);
        AtomicLong longs = new AtomicLong(1L << 40);
        AtomicBoolean flag = new AtomicBoolean(true);
        AtomicReference<String> reference = new AtomicReference<>("held");
        AtomicIntegerArray numbers = new AtomicIntegerArray(new int[] {3, 1, 4});
        LongAdder adder = new LongAdder();
        adder.add(17);
        BigInteger big = new BigInteger("123456789012345678901234567890");
        BigDecimal decimal = new BigDecimal("12.340");
        UUID id = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
        Duration duration = Duration.ofMinutes(95);
        Instant instant = Instant.ofEpochSecond(1_000_000_000L, 5);
        LocalDate date = LocalDate.of(2024, 2, 29);
        LocalDateTime time = LocalDateTime.of(2024, 2, 29, 12, 30);
        StringBuilder builder = new StringBuilder("abc").append(12);
        String text = "Hello, World";
        String wide = "日本 \ud83d\ude00";
        Integer boxed = 1_000;
        Long boxedLong = 5L;
        Double ratio = 2.5;
        Character letter = 'x';
        Boolean truth = Boolean.TRUE;
        Point point = new Point(3, 1L << 33);
        Named named = new Named("n", point, Deck.UPPER);
        Cargo cargo = holds.get("aft");
        Cargo nothing = null;
        Box<Box<String>> box = new Box<>(new Box<>("inner"));
        int[] ints = {4, 5, 6};
        double half = 0.5;
        long millis = 86_400_000L;
        Object unknown = Objects.requireNonNull(linked);
        System.out.println("filled " + Mixed.named("one"));
        do {
            turns.incrementAndGet(); // @filled
            Thread.sleep(1);
        } while (runs);
    }
}
