// SPDX-License-Identifier: Apache-2.0
import com.google.common.base.CaseFormat;
import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.HashBiMap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Multimap;
import com.google.common.collect.Range;
import com.google.common.collect.TreeRangeSet;
import com.google.common.graph.GraphBuilder;
import com.google.common.graph.MutableGraph;
import com.google.common.hash.Hashing;
import com.google.common.math.BigIntegerMath;
import com.google.common.primitives.Longs;
import eyes.Eyes;
import java.nio.charset.StandardCharsets;

/** Uses a bit of everything, twice. */
public final class Collect {
    private Collect() {}

    private static String all() {
        StringBuilder text = new StringBuilder();
        Multimap<Integer, String> byLength = ArrayListMultimap.create();
        for (String word : Splitter.on(' ').omitEmptyStrings().split("a few  words of some length, some of them twice")) {
            byLength.put(word.length(), word);
        }
        text.append(byLength).append('\n');
        ImmutableMap.Builder<String, Integer> numbers = ImmutableMap.builder();
        for (int i = 0; i < 100; i++) {
            numbers.put("n" + i, i * i);
        }
        text.append(Joiner.on(",").withKeyValueSeparator("=").join(numbers.build())).append('\n');
        HashBiMap<String, Integer> both = HashBiMap.create(numbers.build());
        text.append(both.inverse().get(49)).append(ImmutableSortedSet.copyOf(both.keySet()).ceiling("n5")).append('\n');
        TreeRangeSet<Integer> ranges = TreeRangeSet.create();
        ranges.add(Range.closed(1, 10));
        ranges.remove(Range.open(3, 5));
        text.append(ranges).append(ranges.complement()).append('\n');
        LoadingCache<Integer, String> cache = CacheBuilder.newBuilder().maximumSize(5).recordStats().build(
                CacheLoader.from(key -> "made " + key));
        for (int i = 0; i < 40; i++) {
            text.append(cache.getUnchecked(i % 7));
        }
        text.append(cache.stats().hitCount() > 0).append('\n');
        MutableGraph<Integer> graph = GraphBuilder.directed().build();
        for (int i = 1; i < 20; i++) {
            graph.putEdge(i, i / 2);
        }
        text.append(graph.successors(9)).append(graph.edges().size()).append('\n');
        text.append(Hashing.sha256().hashString("guava", StandardCharsets.UTF_8)).append(Hashing.murmur3_128().hashLong(7));
        text.append(BigIntegerMath.factorial(30)).append(Longs.asList(3, 1, 2).indexOf(2L));
        text.append(CaseFormat.LOWER_CAMEL.to(CaseFormat.UPPER_UNDERSCORE, "someWords"));
        return text.toString();
    }

    public static void main(String[] args) throws Exception {
        String first = all();
        Eyes.open(args);
        System.out.println("loaded"); // @loaded
        String second = all();
        System.out.println(second);
        System.out.println(first.equals(second));
        Eyes.close(args);
    }
}
