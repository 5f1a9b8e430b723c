// SPDX-License-Identifier: Apache-2.0
package values;

import java.io.File;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Currency;
import java.util.Date;
import java.util.Deque;
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
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Set;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.WeakHashMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Objects of the JDK, with what the program itself says about them. */
final class Known {
    /** Has the same hash as all others of its kind. */
    record Clash(int number) implements Comparable<Clash> {
        @Override
        public int hashCode() {
            return 7;
        }

        @Override
        public int compareTo(Clash other) {
            return Integer.compare(number, other.number);
        }
    }

    record Point(int x, String label, Object next) {}

    /** What is shown. */
    static final List<Object> SUBJECTS = new ArrayList<>();

    /** For each of them its text, or an array with the texts of what is inside. */
    static final List<Object> SAID = new ArrayList<>();

    private Known() {}

    private static void text(Object subject) {
        say(subject, String.valueOf(subject));
    }

    private static void say(Object subject, Object said) {
        SUBJECTS.add(subject);
        SAID.add(said);
    }

    private static void elements(Collection<?> subject) {
        say(subject, subject.stream().map(String::valueOf).toArray(String[]::new));
    }

    private static void entries(Map<?, ?> subject) {
        say(
                subject,
                subject.entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue())
                        .toArray(String[]::new));
    }

    private static void inside(Object subject, Object... texts) {
        say(subject, Arrays.stream(texts).map(String::valueOf).toArray(String[]::new));
    }

    static void make() throws Exception {
        numbers();
        times();
        names();
        lists();
        sets();
        maps();
        texts();
        reversed();
    }

    private static void numbers() throws InterruptedException {
        for (Object box :
                new Object[] {true, (byte) -3, 'x', (short) 300, 42, 1L << 40, 1.5f, -1e-9, 5e20}) {
            text(box);
        }
        for (String digits : List.of("0", "-1", "4294967296", "-123456789012345678901234567890")) {
            text(new BigInteger(digits));
        }
        for (String digits :
                List.of("0", "1.50", "-0.001", "1E+3", "1.2E-9", "0.0000001", "-12345678901234567890.125")) {
            text(new BigDecimal(digits));
        }
        text(new BigDecimal(BigInteger.valueOf(17), -2));
        text(new AtomicInteger(-7));
        text(new AtomicLong(1L << 50));
        text(new AtomicBoolean(true));
        LongAdder adder = new LongAdder();
        DoubleAdder sum = new DoubleAdder();
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] =
                    new Thread(
                            () -> {
                                for (int times = 0; times < 2000; times++) {
                                    adder.add(3);
                                    sum.add(0.5);
                                }
                            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        text(adder);
        text(sum);
    }

    private static void times() {
        text(LocalDate.of(2024, 2, 29));
        text(LocalDate.of(-44, 3, 15));
        text(LocalDate.of(12024, 12, 31));
        text(LocalTime.of(10, 15));
        text(LocalTime.of(10, 15, 30));
        text(LocalTime.of(0, 0, 0, 1));
        text(LocalTime.of(23, 59, 59, 120_000_000));
        text(LocalTime.of(1, 2, 3, 4_000));
        text(LocalDateTime.of(2020, 1, 2, 3, 4, 5));
        text(OffsetDateTime.of(2020, 1, 2, 3, 4, 5, 6, ZoneOffset.ofHours(-3)));
        text(OffsetTime.of(1, 2, 3, 4, ZoneOffset.UTC));
        text(ZonedDateTime.of(2020, 7, 1, 12, 0, 0, 0, ZoneId.of("Europe/Berlin")));
        text(ZonedDateTime.of(2020, 7, 1, 12, 0, 0, 0, ZoneOffset.UTC));
        text(ZoneId.of("Asia/Tokyo"));
        text(ZoneOffset.ofHoursMinutes(5, 30));
        for (long seconds : new long[] {0, 1, -1, 951_782_400, 4_102_444_800L, -62_135_596_801L, 253_402_300_800L}) {
            text(Instant.ofEpochSecond(seconds));
        }
        text(Instant.ofEpochSecond(1, 1_000_000));
        text(Instant.ofEpochSecond(-1, 999_999_999));
        text(Year.of(2024));
        text(YearMonth.of(2024, 2));
        text(MonthDay.of(2, 29));
        for (Duration duration :
                new Duration[] {
                    Duration.ZERO,
                    Duration.ofSeconds(29_172, 345_000_000),
                    Duration.ofMillis(-500),
                    Duration.ofMillis(-1500),
                    Duration.ofHours(-3),
                    Duration.ofSeconds(-3600, 1),
                    Duration.ofNanos(1),
                    Duration.ofMinutes(90),
                }) {
            text(duration);
        }
        text(Period.ZERO);
        text(Period.of(1, -2, 3));
        Date date = new Date(1_709_251_200_123L);
        say(date, date.toInstant().toString());
    }

    private static void names() throws Exception {
        text(new UUID(0x0123456789abcdefL, 0xfedcba9876543210L));
        text(new UUID(1, 2));
        text(new File("some/file.txt"));
        text(Path.of("/some/päth"));
        text(Path.of(""));
        text(URI.create("https://user@example.com:8080/a?b=c#d"));
        text(new URI("http", "example.com", "/x y", "q=1", "f"));
        text(new URI("mailto", "a@b.c", null));
        // Without anything that would put the text together before it is shown.
        say(new URI("http", null, "host", 81, "/p", null, "f"), "http://host:81/p#f");
        text(new URL("http://example.com:81/a/b?c=d#e"));
        text(new URL("file:/x/y"));
        text(Locale.US);
        text(Locale.ENGLISH);
        text(StandardCharsets.UTF_8);
        text(Pattern.compile("a+(b|c)"));
        text(Currency.getInstance("EUR"));
        ByteBuffer buffer = ByteBuffer.allocate(10).putInt(3);
        say(buffer, buffer.toString().replace("java.nio.", ""));
        text(new StackTraceElement("a.B", "c", "B.java", 3));
        text(new StackTraceElement(null, "java.base", null, "java.lang.Thread", "run", "Thread.java", -2));
        text(TimeUnit.DAYS);
    }

    private static void lists() {
        List<Integer> some = List.of(1, 2, 3);
        List<Integer> many = IntStream.range(0, 50).boxed().toList();
        elements(new ArrayList<>(some));
        elements(new ArrayList<>(many).subList(10, 20));
        elements(new LinkedList<>(many));
        elements(new Vector<>(some));
        Stack<Integer> stack = new Stack<>();
        stack.push(1);
        elements(stack);
        ArrayDeque<Integer> deque = new ArrayDeque<>(some);
        deque.addFirst(0);
        deque.removeLast();
        elements(deque);
        elements(new PriorityQueue<>(List.of(3, 1, 2)));
        elements(List.of());
        elements(List.of(1));
        elements(List.of(1, 2));
        elements(some);
        elements(many.subList(3, 9));
        elements(List.of(9, 8, 7, 6).subList(1, 3));
        elements(Arrays.asList(1, null, 3));
        elements(Collections.unmodifiableList(new ArrayList<>(some)));
        elements(Collections.synchronizedList(new LinkedList<>(some)));
        elements(Collections.unmodifiableCollection(new TreeSet<>(some)));
        elements(Collections.checkedList(new ArrayList<>(some), Integer.class));
        elements(Collections.emptyList());
        elements(Collections.singletonList(5));
        elements(new CopyOnWriteArrayList<>(some));
        ArrayBlockingQueue<Integer> ring = new ArrayBlockingQueue<>(3, false, some);
        ring.remove();
        ring.add(4);
        elements(ring);
        elements(new LinkedBlockingQueue<>(some));
        elements(new LinkedBlockingDeque<>(some));
        elements(new PriorityBlockingQueue<>(some));
        inside(new AtomicIntegerArray(new int[] {4, 5}), 4, 5);
        inside(new AtomicLongArray(new long[] {6}), 6);
        inside(new AtomicReferenceArray<>(new String[] {"a", null}), "a", "null");
        inside(Optional.of("here"), "here");
        inside(Optional.empty());
        inside(OptionalInt.of(0), 0);
        inside(OptionalLong.of(7), 7);
        inside(OptionalDouble.of(0.5), 0.5);
    }

    private static void sets() {
        List<Integer> many = IntStream.range(0, 50).boxed().toList();
        elements(new HashSet<>(many));
        elements(new LinkedHashSet<>(List.of(3, 1, 2)));
        elements(new TreeSet<>(many));
        elements(Set.of());
        elements(Set.of(1));
        elements(Set.of("a", "b"));
        elements(Set.of("a", "b", "c", "d", "e", "f", "g"));
        elements(EnumSet.of(TimeUnit.DAYS, TimeUnit.NANOSECONDS));
        elements(EnumSet.allOf(Character.UnicodeScript.class));
        elements(Collections.unmodifiableSet(new TreeSet<>(many)));
        elements(Collections.synchronizedSet(new HashSet<>(many)));
        Set<String> ofMap = Collections.newSetFromMap(new LinkedHashMap<>());
        ofMap.add("x");
        elements(ofMap);
        elements(Collections.singleton(1));
        elements(ConcurrentHashMap.newKeySet());
        elements(new CopyOnWriteArraySet<>(many));
    }

    private static void maps() {
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
        Map<Integer, String> linked = new LinkedHashMap<>(many);
        elements(new HashMap<>(many).keySet());
        elements(linked.keySet());
        elements(linked.values());
        elements(linked.entrySet());
        elements(many.keySet());
        elements(many.values());
        elements(new ConcurrentHashMap<>(many).values());
        text(Map.entry("k", 1));
        text(new AbstractMap.SimpleEntry<>("k", 2));
        text(many.entrySet().iterator().next());
    }

    /** Since Java 21. */
    private static void reversed() throws Exception {
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

    private static void texts() {
        text(new StringBuilder("built").append(1));
        text(new StringBuffer("\u20ac"));
        text(new Point(1, "p", null));
        say(new WeakReference<>("weak".intern()), "WeakReference[\"weak\"]");
        say(new SoftReference<>(null), "SoftReference[null]");
        text(Known.class);
    }
}
