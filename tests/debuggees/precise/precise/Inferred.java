// SPDX-License-Identifier: Apache-2.0
package precise;

import static expect.Expect.fails;
import static expect.Expect.is;
import static expect.Expect.makes;
import static expect.Expect.runs;
import static expect.Expect.stop;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The results of generic methods, used at once. */
final class Inferred<E extends Comparable<E>> {
    private final List<E> items;

    private Inferred(List<E> items) {
        this.items = items;
    }

    @SafeVarargs
    static <T> T[] arr(T... elements) {
        return elements;
    }

    static <T> T same(T value) {
        return value;
    }

    static <T> T pick(T first, T second) {
        return second;
    }

    static <K, V> Map<K, V> mapped(K key, V value) {
        return Collections.singletonMap(key, value);
    }

    static <T extends Comparable<? super T>> T largest(List<? extends T> list) {
        return Collections.max(list);
    }

    static <T> List<T> none() {
        return new ArrayList<>();
    }

    static <A, B> B through(A value, Function<? super A, ? extends B> function) {
        return function.apply(value);
    }

    static <T> String kind(T value) {
        return "T";
    }

    static <T extends Number> String kind(T value) {
        return "Number";
    }

    static String kind(List<?> value) {
        return "List";
    }

    static int size(List<String> strings) {
        return strings.size();
    }

    @SuppressWarnings("unchecked")
    static <T> T unchecked(Object value) {
        return (T) value;
    }

    static int total(List<Integer>... lists) {
        return lists.length + lists[0].get(0);
    }

    static <T, C extends Collection<T>> C filled(Supplier<C> made, T value) {
        C collection = made.get();
        collection.add(value);
        return collection;
    }

    E first() {
        return items.get(0);
    }

    <T extends E> T asItem(T value) {
        return value;
    }

    static void visit() {
        int w = 2;
        String s = "text";
        List<String> words = List.of("one", "two");
        List<? extends Number> numbers = List.of(1, 2);
        List<? super Integer> sink = new ArrayList<>(List.of(5));
        Map<String, List<Integer>> byName = new TreeMap<>(Map.of("a", List.of(1, 2)));
        Function<Object, String> shout = value -> value + "!";
        Supplier<? extends List<String>> supplier = () -> words;
        Inferred<String> own = new Inferred<>(words);
        Supplier<ArrayList<String>> maker = ArrayList::new;
        Optional<String> some = Optional.of("some");
        is(arr("a", "b")[1].length());
        is(arr(1, 2)[1] + 1);
        is(arr("a", "b").length);
        is(Inferred.<Object>arr("a", "b").getClass().getSimpleName());
        is(arr("a", "b").getClass().getSimpleName());
        is(arr(1, 2).getClass().getSimpleName());
        is(arr(1, 2.0).getClass().getSimpleName());
        is(arr(words, new ArrayList<String>()).getClass().getSimpleName());
        is(arr(1, "a").getClass().getSimpleName());
        is(IntStream.of(1, 2).boxed().collect(toList()).get(0) + 1);
        is(Stream.of("a", "bc").collect(Collectors.toList()).get(1).length());
        is(words.stream().collect(Collectors.toSet()).iterator().next().length());
        is(words.stream().collect(Collectors.joining("-")).length());
        is(words.stream().collect(Collectors.counting()) + 1);
        is((w > 1 ? List.of(1) : List.of("a")).get(0));
        is((w > 1 ? List.of(1) : List.of(2.0)).get(0).intValue());
        is((w > 1 ? words : new ArrayList<String>()).get(0).length());
        is((w > 1 ? words : List.of("a")).get(0).length());
        is((w > 1 ? Collections.emptyList() : List.of("a")).size());
        is(w > 1 ? List.of("a").get(0).length() : 0);
        is(same(s).length());
        is(same(1) + 1);
        is(same(words).get(0).length());
        is(pick("a", s).length());
        is(pick(1, 2.5).intValue());
        is(pick(1, "a"));
        is(mapped("k", 1).get("k") + 1);
        is(mapped("k", words).entrySet().iterator().next().getValue().get(0).length());
        is(largest(words).length());
        is(largest(Arrays.asList(3, 4)) + 1);
        is(Collections.max(Arrays.asList(3, 9)) + 1);
        is(Collections.max(numbers.stream().map(Number::intValue).collect(toList())) + 1);
        is(numbers.get(0).intValue());
        is(same(numbers).get(1).doubleValue());
        is(sink.get(0));
        is(byName.get("a").get(1) + 1);
        is(byName.entrySet().iterator().next().getValue().get(0) + 1);
        is(byName.values().iterator().next().get(0) + 1);
        is(new ArrayList<>(byName.get("a")).get(0) + 1);
        is(new ArrayList<>(List.of("a")).get(0).length());
        is(new HashMap<>(Map.of("k", 3)).get("k") + 1);
        is(through(w, shout).length());
        is(shout.apply(1).length());
        is(supplier.get().get(0).length());
        is(own.first().length());
        is(own.items.get(1).length());
        is(own.asItem("x").length());
        is(some.get().length());
        is(some.orElse("none").length());
        is(Optional.of(1).get() + 1);
        is(Optional.ofNullable(s).orElse("x").length());
        is(Objects.requireNonNull(s).length());
        is(Objects.requireNonNullElse(s, "x").length());
        is(Arrays.asList(1, 2).get(0) + 1);
        is(Arrays.asList("a", "b").get(0).length());
        is(Arrays.asList(new Integer[] {1, 2}).get(1) + 1);
        is(List.of(List.of(1), List.of(2)).get(1).get(0) + 1);
        is(List.of(1, 2.0).get(0).intValue());
        is(Map.of("a", 1).get("a") + 1);
        is(Map.entry("a", 1).getValue() + 1);
        is(Set.of("x").iterator().next().length());
        is(Collections.singletonList("abc").get(0).length());
        is(Collections.unmodifiableList(words).get(0).length());
        is(size(none()));
        is(size(List.of()));
        is(size(new ArrayList<>()));
        is(size(Collections.emptyList()));
        is(Inferred.<String>none().size());
        is(size(unchecked(words)));
        fails(() -> expect.Expect.ignore(total(unchecked(List.of(4)))));
        is(total(List.of(1), new ArrayList<>(List.of(2))));
        runs("int", () -> { String t = unchecked(s); return t.length(); });
        runs("int", () -> { List<String> t = new ArrayList<>(); return size(t); });
        is(Inferred.<String>unchecked(s).length());
        fails(() -> expect.Expect.ignore(Inferred.<Integer>unchecked(s) + 1));
        is(filled(maker, "value").get(0).length());
        is((w > 1 ? s : 1));
        is((w > 1 ? some : List.of("a")).getClass() == Optional.class);
        makes(switch (w) { case 1 -> List.of(1); case 2 -> List.of("two"); default -> words; });
        is(kind(1));
        is(kind("a"));
        is(kind(words));
        is(Stream.of(1, 2, 3).reduce(Integer::sum).get() + 1);
        is(Stream.of(3, 1).sorted().findFirst().get() + 1);
        is(Stream.iterate(1, x -> x + 1).limit(3).collect(toList()).get(2) + 1);
        is(Stream.of("b", "a").sorted().toArray(String[]::new)[0].length());
        is(words.toArray(new String[0])[1].length());
        is(Collections.<String>emptyList().size());
        is(Collections.nCopies(2, "ab").get(1).length());
        is(Enum.valueOf(java.util.concurrent.TimeUnit.class, "DAYS").toHours(1));
        is(String.class.cast(s).length());
        is(Integer.class.cast(1) + 1);
        is(s.getClass().getSimpleName());
        is(words.getClass().cast(words).get(0));
        is(List.copyOf(words).get(0).length());
        is(words.iterator().next().length());
        makes(new ArrayList<>(words));
        makes(Map.of("a", List.of(1)));
        fails(() -> expect.Expect.ignore(((List<Integer>) (List<?>) words).get(0) + 1));
        stop(); // @inferred
    }
}
