// SPDX-License-Identifier: Apache-2.0
package everyday;

import static expect.Expect.fails;
import static expect.Expect.ignore;
import static expect.Expect.is;
import static expect.Expect.makes;
import static expect.Expect.runs;
import static expect.Expect.stop;
import static java.util.stream.Collectors.*;

import java.io.Serializable;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;
import java.util.stream.*;

/** What only the compiler can read: lambdas, method references, anonymous and local classes. */
final class Streams<K extends Comparable<K>> {
    record Person(String name, int age, String city) {
        static Person parse(String text) {
            String[] parts = text.split(":");
            return new Person(parts[0], Integer.parseInt(parts[1]), parts[2]);
        }

        boolean isAdult() {
            return age >= 18;
        }
    }

    @FunctionalInterface
    private interface Secret<T> {
        T reveal(int number);

        default T twice() {
            return reveal(2);
        }
    }

    interface Three<A, B, C, R> {
        R apply(A a, B b, C c);
    }

    private final List<Person> people = new ArrayList<>();
    private final Map<K, Integer> ranks = new TreeMap<>();
    private int threshold = 20;
    private static String separator = "-";

    Streams(K key) {
        ranks.put(key, 1);
        people.add(new Person("ann", 30, "Rome"));
        people.add(new Person("bob", 10, "Oslo"));
        people.add(new Person("cid", 40, "Rome"));
    }

    private boolean isOld(Person person) {
        return person.age() > threshold;
    }

    private static String shout(Object any) {
        return any.toString().toUpperCase();
    }

    private <T> T reveal(Secret<T> secret) {
        return secret.reveal(threshold);
    }

    static String run(Runnable task) { task.run(); return "Runnable"; }

    static <T> String run(Callable<T> task) { return "Callable"; }

    static int apply(IntUnaryOperator f) { return f.applyAsInt(3); }

    static double apply(ToDoubleFunction<String> f) { return f.applyAsDouble("abcd"); }

    void instance(int minimum, String prefix, K key, List<? extends K> keys, Object any, int[] numbers, String[] words) {
        is(people.stream().filter(p -> p.age() > minimum).count());
        is(people.stream().filter(p -> p.age() > threshold).map(p -> p.name()).collect(Collectors.joining(",")));
        is(people.stream().filter(this::isOld).map(Person::name).collect(joining(separator)));
        is(people.stream().mapToInt(Person::age).sum());
        is(people.stream().mapToInt(Person::age).average().orElse(0));
        is(people.stream().map(Person::name).map(String::length).reduce(0, Integer::sum));
        is(people.stream().anyMatch(Person::isAdult));
        is(people.stream().collect(groupingBy(Person::city, TreeMap::new, counting())).toString());
        is(people.stream().collect(Collectors.toMap(Person::name, p -> p)).get("bob").age());
        is(people.stream().collect(partitioningBy(p -> p.age() > minimum, mapping(Person::name, toList()))).get(true).toString());
        is(people.stream().sorted(Comparator.comparing(Person::city).thenComparing(Person::age, Comparator.reverseOrder())).map(Person::name).collect(toList()).toString());
        is(people.stream().max(Comparator.comparingInt(Person::age)).get().name());
        is(people.stream().flatMap(p -> Stream.of(p.name(), p.city())).distinct().count());
        is(people.stream().map(p -> new Object() { String all = p.name() + prefix; }).map(o -> o.all).collect(joining()));
        is(people.stream().map(p -> { String s = p.name(); return s + prefix.length(); }).collect(joining(";")));
        is(people.stream().map(p -> people.stream().filter(q -> q.age() > p.age()).count()).map(Object::toString).collect(joining()));
        is(people.stream().map(p -> shout(p.name())).findFirst().get());
        is(people.stream().map(Person::name).map(Streams::shout).findFirst().get());
        is(Arrays.stream(numbers).map(x -> x * x).filter(x -> x % 2 == 1).sum());
        is(IntStream.range(0, 5).mapToObj(i -> "" + i).collect(joining()));
        is(IntStream.rangeClosed(1, 5).boxed().map(i -> i * minimum).reduce((a, b) -> a + b).get());
        is(Stream.iterate(1, x -> x * 2).limit(5).mapToInt(Integer::intValue).sum());
        is(Stream.of(words).map(w -> w.charAt(0)).map(c -> (int) c).mapToInt(i -> i).max().getAsInt());
        is(Arrays.asList(words).stream().toArray(String[]::new).length);
        is(Stream.of("1:2:3", "4:5:6").map(Person::parse).mapToInt(Person::age).sum());
        is(Stream.of("a", "b").map(StringBuilder::new).map(b -> b.append(prefix)).map(StringBuilder::toString).collect(joining()));
        is(Stream.of(1, 2, 3).collect(ArrayList::new, ArrayList::add, ArrayList::addAll).size());
        is(ranks.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).collect(joining()));
        is(ranks.keySet().stream().allMatch(k -> k.compareTo(key) == 0));
        is(keys.stream().filter(k -> k.compareTo(key) <= 0).count());
        is(Optional.of(prefix).map(String::length).filter(n -> n > minimum).isPresent());
        is(Optional.ofNullable((String) null).orElseGet(() -> prefix + minimum));
        is(((Supplier<String>) () -> prefix + threshold).get());
        is(((Function<Integer, Function<Integer, Integer>>) a -> b -> a * b + minimum).apply(3).apply(4));
        is(((BiFunction<Integer, Integer, Integer>) Math::max).apply(3, 4));
        is(((Three<Integer, Integer, Integer, Integer>) (a, b, c) -> a + b * c).apply(1, 2, 3));
        is(((Object) (Runnable & Serializable) () -> { }) instanceof Serializable);
        is(((IntFunction<int[]>) int[]::new).apply(3).length);
        is(((Supplier<List<String>>) ArrayList::new).get().size());
        is(((Secret<String>) n -> prefix + n).reveal(5));
        is(((Secret<String>) n -> prefix + n).twice());
        is(reveal(n -> n + 1));
        is(this.<Integer>reveal(n -> n * 2) + 1);
        is(run(() -> { }));
        is(run(() -> 5));
        is(run(() -> { throw new IllegalStateException(); }));
        is(apply((int x) -> x + 1));
        is(apply(String::length));
        is(any instanceof String s ? Stream.of(s).map(t -> t + s).findFirst().get() : "");
        is(new Comparator<String>() { @Override public int compare(String a, String b) { return b.compareTo(a); } }.compare("a", "b"));
        is(new Thread(() -> { }).getState().name());
        is(new ArrayList<Integer>() {{ add(1); add(threshold); }}.get(1));
        is(new Object() { int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } }.fib(10));
        is(new TreeMap<String, Integer>(Comparator.reverseOrder()) {{ put("a", 1); put("b", 2); }}.firstKey());
        is(new HashMap<String, List<Integer>>().computeIfAbsent("x", k -> new ArrayList<>(List.of(minimum))).get(0) + 1);
        is(Map.of("a", 1).entrySet().stream().sorted(Map.Entry.<String, Integer>comparingByValue().reversed()).findFirst().get().getKey());
        is(switch (minimum) { case 15 -> people.stream().map(p -> p.name()).findFirst().get(); default -> "none"; });
        is(minimum > 0 ? people.stream().map(Person::age).findFirst().get() : -1);
        is(!people.isEmpty() && people.stream().noneMatch(p -> p.age() > 100));
        is("" + people.stream().map(p -> p.age() / 10).collect(toList()) + minimum);
        is(IntStream.of(numbers).mapToObj(Integer::toString).collect(Collectors.collectingAndThen(toList(), l -> l.size())));
        is(Collections.max(people, Comparator.comparing(p -> p.name())).name());
        is(people.toArray(Person[]::new)[0].name());
        is(Stream.of(key).map(k -> k.compareTo(key)).findFirst().get() + 1);
        makes(people.stream().map(Person::name).toList());
        makes(Arrays.stream(words).collect(toMap(Function.identity(), String::length, (a, b) -> a, TreeMap::new)));
        fails(() -> ignore(people.stream().map(p -> p.age() / (p.age() - 10)).collect(toList())));
        fails(() -> ignore(Stream.of("x").map(Integer::parseInt).findFirst()));
        runs("int", () -> { int sum = 0; for (Person p : people) { Predicate<Person> old = q -> q.age() > p.age(); if (people.stream().anyMatch(old)) sum += p.age(); } return sum; });
        runs("int", () -> { int[] total = {0}; people.forEach(p -> total[0] += p.age()); return total[0]; });
        runs("new", () -> { List<String> out = new ArrayList<>(); people.forEach(p -> { if (isOld(p)) out.add(p.name()); }); return out; });
        runs("new", () -> { var out = new TreeMap<String, List<Person>>(); for (var p : people) out.computeIfAbsent(p.city(), c -> new ArrayList<>()).add(p); return out; });
        runs("int", () -> { AtomicInteger n = new AtomicInteger(); Runnable r = n::incrementAndGet; r.run(); r.run(); return n.get(); });
        runs("new", () -> { Function<Integer, Integer> inc = x -> x + 1; Function<Integer, Integer> dbl = x -> x * 2; return inc.andThen(dbl).compose(dbl).apply(5); });
        runs("int", () -> { threshold = 25; try { return (int) people.stream().filter(this::isOld).count(); } finally { threshold = 20; } });
        runs("int", () -> { this.threshold++; Supplier<Integer> s = () -> this.threshold--; return s.get() + threshold; });
        runs("new", () -> { Iterator<String> it = new Iterator<>() { int at = 0; public boolean hasNext() { return at < words.length; } public String next() { return words[at++] + prefix; } }; String all = ""; while (it.hasNext()) all += it.next(); return all; });
        runs("int", () -> { interface Op { int apply(int a); } Op op = a -> a + threshold; return op.apply(1); });
        runs("new", () -> { Callable<Integer> c = () -> { if (minimum > 100) throw new Exception(); return minimum; }; return c.call(); });
        stop(); // @streams
    }

    static <T extends Comparable<T>> void fixed(List<T> items, Comparator<? super T> order, Map<String, ? extends List<T>> groups) {
        is(items.stream().sorted(order).findFirst().get());
        is(items.stream().sorted(order.reversed()).findFirst().get());
        is(items.stream().max(T::compareTo).get());
        is(items.stream().map(t -> separator + t).collect(joining()));
        is(groups.values().stream().mapToInt(List::size).sum());
        is(groups.get("g").stream().min(Comparator.naturalOrder()).get());
        is(new Streams<>("k").people.stream().filter(p -> p.isAdult()).count());
        is(new Streams<String>("k").ranks.keySet().stream().findFirst().get().length());
        is(Stream.of(new Streams<>(1)).map(s -> s.threshold).findFirst().get());
        stop(); // @static-streams
    }

    static void visit() {
        new Streams<>("key").instance(15, "pre", "key", List.of("a", "z"), "text", new int[] {1, 2, 3}, new String[] {"one", "two"});
        fixed(List.of(3, 1, 2), Comparator.naturalOrder(), Map.of("g", List.of(9, 8)));
    }
}
