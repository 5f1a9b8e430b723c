// SPDX-License-Identifier: Apache-2.0
package everyday;

import static expect.Expect.fails;
import static expect.Expect.ignore;
import static expect.Expect.is;
import static expect.Expect.makes;
import static expect.Expect.runs;
import static expect.Expect.stop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;

/** Overloads, generic methods, boxes and numbers, as people type them. */
final class Calls {
    static final int LIMIT = 40;
    static final char LETTER = 'c';
    static final String PREFIX = "pre";
    static final String JOINED = PREFIX + LIMIT + LETTER;
    static final long BIG = 1L << 40;
    static final byte SMALL = 5;
    static final Integer BOXED = 5;
    static int counter = 3;

    private Calls() {}

    static String pick(int number) { return "int"; }

    static String pick(long number) { return "long"; }

    static String pick(Integer number) { return "Integer"; }

    static String pick(Object any) { return "Object"; }

    static String pick(int... numbers) { return "int..."; }

    static String wide(long number) { return "long"; }

    static String wide(Integer number) { return "Integer"; }

    static String wide(Object... all) { return "Object..."; }

    static String narrow(byte number) { return "byte"; }

    static String narrow(double number) { return "double"; }

    static String text(Object any) { return "Object"; }

    static String text(String any) { return "String"; }

    static String text(CharSequence any) { return "CharSequence"; }

    static String letters(char letter, int number) { return "char int"; }

    static String letters(int number, int letter) { return "int int"; }

    static String sum(Object first, String... rest) { return first + "/" + (rest == null ? "null" : rest.length); }

    static String run(Runnable task) { return "Runnable"; }

    static <T> String run(Callable<T> task) { return "Callable"; }

    static <T> T same(T value) { return value; }

    static <T extends Comparable<T>> T larger(T one, T other) { return one.compareTo(other) >= 0 ? one : other; }

    static <T extends Comparable<? super T>> T largest(Collection<? extends T> all) { return Collections.max(all); }

    static <K, V extends Comparable<V>> K keyOfLargest(Map<K, V> map) {
        return map.entrySet().stream().max(Map.Entry.comparingByValue()).get().getKey();
    }

    @SafeVarargs
    static <T> List<T> listOf(T... all) { return new ArrayList<>(Arrays.asList(all)); }

    static double total(List<? extends Number> numbers) {
        double sum = 0;
        for (Number each : numbers) sum += each.doubleValue();
        return sum;
    }

    static void fill(List<? super Integer> into) { into.add(1); }

    static int length(String text) { return text.length(); }

    static void overloads(byte b, short s, char c, int i, long l, float f, double d, Integer box, Long wide,
            Character letter, Object any, String text, Object textObject, StringBuilder builder, int[] numbers,
            Integer[] boxes, Object nothing) {
        is(pick(b));
        is(pick(s));
        is(pick(c));
        is(pick(i));
        is(pick(l));
        is(pick(f));
        is(pick(box));
        is(pick(wide));
        is(pick(letter));
        is(pick(any));
        is(pick());
        is(pick(1, 2));
        is(pick(numbers));
        is(pick(new int[0]));
        is(pick((int) l));
        is(pick(i + l));
        is(pick(b + s));
        is(pick('a' + 1));
        is(pick(true ? 1 : 'a'));
        is(pick(i > 0 ? i : box));
        is(pick(i > 0 ? box : wide));
        is(pick(i > 0 ? null : 0));
        is(wide(b));
        is(wide(i));
        is(wide(box));
        is(wide(c));
        is(wide("x"));
        is(wide(1, 2L));
        is(wide(d));
        is(wide(boxes));
        is(wide((Object) boxes));
        is(wide());
        is(narrow(b));
        is(narrow((byte) i));
        is(narrow(i));
        is(narrow(s));
        is(narrow(c));
        is(Calls.text("a"));
        is(Calls.text(any));
        is(Calls.text((Object) text));
        is(Calls.text(textObject));
        is(Calls.text(builder));
        is(Calls.text(null));
        is(Calls.text((Object) null));
        is(letters('a', 1));
        is(letters(1, 'a'));
        is(letters((char) i, c));
        is(sum(1));
        is(sum("a", "b", "c"));
        is(sum(null, (String) null));
        is(sum(null, (String[]) null));
        is(sum("a", new String[] {"x", "y", "z"}));
        is(String.format("%s-%s", 1, 'c'));
        is(String.format("%s %s", new Object[] {"a", "b"}));
        is(String.format("%5.2f|%-5s|%05d", d, text, i));
        is(String.valueOf((Object) null));
        is(String.valueOf(new char[] {'a', 'b'}));
        is(String.valueOf(c) + String.valueOf(i));
        is(String.join(",", "a", "b"));
        is(String.join("|", List.of("x", "y")));
        is(Objects.hash(1, "a", null));
        is(Arrays.asList(boxes).size());
        is(Arrays.asList(numbers).size());
        is(Arrays.asList(1, 2.5, "x").size());
        is(Arrays.toString(numbers) + Arrays.toString(boxes));
        is(List.of(1, 2, 3).contains(2));
        is(List.of('a', 1, 2L).size());
        is(Math.max(i, l));
        is(Math.max(f, d));
        is(Math.abs(-2.5f));
        is(Math.round(2.5f));
        is(Math.round(2.5));
        is(Integer.compare(i, c));
        is(builder.append('x').append(1).append("y").length() > 0);
        is(new StringBuilder().append((char) 97).append('a' + 1).append((Object) "z").toString());
        is(new StringBuilder("abc").insert(1, 2.5).reverse().toString());
        is(text.indexOf('e') + text.indexOf("e"));
        is(text.replace('e', 'E') + text.replace("x", "y"));
        is(text.chars().sum());
        is(text.compareTo("a") > 0 ? "after" : "before");
        is(new ArrayList<>(List.of(3, 4, 5)).remove(1));
        is(new ArrayList<>(List.of(3, 4, 5)).remove((Integer) 5));
        is(new ArrayList<Integer>(List.of(3, 4)).remove(Integer.valueOf(1)));
        is(Optional.of(5).map(x -> x * 2).get());
        is(nothing == null);
        is(any.hashCode() == any.hashCode());
        is(any.equals(null));
        fails(() -> ignore(nothing.toString()));
        fails(() -> ignore(List.of(1).get(5)));
        fails(() -> ignore(Integer.parseInt("x")));
        fails(() -> ignore(Objects.requireNonNull(nothing)));
        fails(() -> ignore((String) any));
        stop(); // @overloads
    }

    static <N extends Number & Comparable<N>> void generics(List<String> words, Map<String, List<Integer>> map,
            N number, List<? extends Number> some, List<? super Integer> sink, Supplier<? extends CharSequence> supplier,
            Map.Entry<String, int[]>[] entries, List<List<? extends Comparable<?>>> nested, Function<Object, Integer> function,
            Optional<String> maybe, Iterable<String> iterable, Class<? extends Number> type) {
        is(words.get(0).length());
        is(words.get(0).charAt(0) + words.get(1).charAt(0));
        is(map.get("a").get(0) + 1);
        is(map.get("a").get(0) == 1);
        is(map.get("none") == null);
        is(map.getOrDefault("none", List.of(9)).get(0) * 2);
        is(map.entrySet().iterator().next().getValue().size());
        is(map.values().iterator().next().get(0).doubleValue());
        is(map.keySet().iterator().next().toUpperCase());
        is(number.intValue() + number.compareTo(number));
        is(some.get(0).intValue());
        is(sink.get(0));
        is(supplier.get().length());
        is(entries[0].getKey().length() + entries[0].getValue()[1]);
        is(nested.get(0).get(0));
        is(function.apply("x") + 1);
        is(maybe.get().length());
        is(maybe.orElse("x").isEmpty());
        is(maybe.isPresent() && !maybe.get().isBlank());
        is(iterable.iterator().next().length());
        is(type.getSimpleName());
        is(type.cast(5).intValue());
        is(same("a").length());
        is(same(5) + 1);
        is(same(words).get(0).length());
        is(Calls.<String>same("a").length());
        is(Calls.<Object>same("a"));
        is(larger("a", "b").length());
        is(larger(3, 4) + 1);
        is(Calls.<Integer>larger(3, 4) * 2);
        is(largest(words).length());
        is(largest(List.of(3, 9, 2)) + 1);
        is(keyOfLargest(Map.of("x", 1, "yy", 2)).length());
        is(listOf("a", "b").get(1).length());
        is(listOf(1, 2).get(0) + 1);
        is(listOf().size());
        is(listOf((Object) null).size());
        is(listOf(1, "a").get(1));
        is(listOf(new int[] {1}).get(0)[0]);
        is(total(List.of(1, 2)) + total(new ArrayList<Double>()));
        is(total(some));
        is(Collections.<String>emptyList().size());
        is(Collections.emptyList().isEmpty());
        is(Collections.max(List.of(1, 5, 3)) + 1);
        is(Collections.nCopies(3, "ab").get(0).length());
        is(Collections.unmodifiableMap(map).get("a").get(0) + 1);
        is(new ArrayList<>(words).get(0).length());
        is(new HashMap<>(map).get("a").size());
        is(new HashMap<String, Integer>().getOrDefault("x", 5) + 1);
        is(new HashMap<String, List<? extends Number>>().size());
        is(Arrays.asList("x", "yy").get(1).length());
        is(Arrays.asList(1, 2.5).get(1).intValue());
        is(List.of("a", 1).get(0));
        is(Map.of("k", 1).get("k") + 1);
        is(Map.entry("k", 2).getValue() * 3);
        is(Optional.of("abc").get().length());
        is(Optional.ofNullable((String) null).isPresent());
        is(Optional.empty().isPresent());
        is(words.toArray().length);
        is(words.toArray(new String[0])[0].length());
        is(words.iterator().next().length());
        is(((List<?>) words).get(0));
        is(((Collection<String>) words).size());
        is(((List<String>) (Object) words).get(1).length());
        is((words.isEmpty() ? List.of("z") : words).get(0).length());
        is((words.isEmpty() ? null : words).get(0).length());
        is(Objects.requireNonNullElse(words.get(0), "x").length());
        is(words.equals(List.of("one", "three")) ? words.size() : -1);
        is(words.getClass() == List.class);
        is(new Object[] {words, 1}.length);
        is(Comparator.<String>naturalOrder().compare("a", "b"));
        is(Comparator.<String>naturalOrder().reversed().compare("a", "b"));
        is(List.copyOf(words).hashCode() == words.hashCode());
        is(String.class.cast(words.get(0)).length());
        is(words.stream().count());
        is(words.stream().sorted().findFirst().get().length());
        is(words.subList(0, 1).isEmpty());
        stop(); // @generics
    }

    static void visit() {
        overloads((byte) 1, (short) 2, 'c', 4, 5L, 6f, 7.5, 8, 9L, 'x', new Object(), "text", "object",
                new StringBuilder("b"), new int[] {1, 2}, new Integer[] {3, 4, 5}, null);
        Map<String, List<Integer>> map = new HashMap<>();
        map.put("a", new ArrayList<>(List.of(1, 2)));
        List<Object> sink = new ArrayList<>(List.of(0));
        @SuppressWarnings("unchecked")
        Map.Entry<String, int[]>[] entries = new Map.Entry[] {Map.entry("key", new int[] {1, 2})};
        generics(new ArrayList<>(List.of("one", "three")), map, 5, List.of(1.5f, 2), sink, () -> "seq", entries,
                List.of(List.of("n")), any -> 7, Optional.of("maybe"), List.of("it"), Integer.class);
    }
}
