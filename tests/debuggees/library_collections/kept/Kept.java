// SPDX-License-Identifier: Apache-2.0
package kept;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.HashBasedTable;
import com.google.common.collect.HashBiMap;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedSet;
import java.util.Arrays;

/** Collections of Guava, Scala and Jackson, of whatever version is on the class path. */
public class Kept {
    public static void main(String[] args) throws Exception {
        guava();
        scalas();
        jackson();
    }

    static void guava() {
        ImmutableList<String> none = ImmutableList.of();
        ImmutableList<String> one = ImmutableList.of("a");
        ImmutableList<String> list = ImmutableList.of("a", "b", "c");
        ImmutableList<String> part = list.subList(1, 3);
        ImmutableSet<String> single = ImmutableSet.of("a");
        ImmutableSet<String> set = ImmutableSet.of("a", "b", "c");
        ImmutableSortedSet<String> sorted = ImmutableSortedSet.of("b", "a");
        ImmutableMap<String, Integer> pair = ImmutableMap.of("a", 1);
        ImmutableMap<String, Integer> map = ImmutableMap.of("a", 1, "b", 2, "c", 3);
        ArrayListMultimap<String, Integer> multimap = ArrayListMultimap.create();
        multimap.put("a", 1);
        multimap.put("a", 2);
        ImmutableListMultimap<String, Integer> fixed = ImmutableListMultimap.of("a", 1, "a", 2);
        HashMultiset<String> multiset = HashMultiset.create(Arrays.asList("a", "b", "a"));
        HashBasedTable<String, String, Integer> table = HashBasedTable.create();
        table.put("row", "column", 1);
        HashBiMap<String, Integer> both = HashBiMap.create();
        both.put("a", 1);
        com.google.common.base.Optional<String> present = com.google.common.base.Optional.of("a");
        com.google.common.base.Optional<String> absent = com.google.common.base.Optional.absent();
        System.out.println(none); // @guava
    }

    static void scalas() {
        scala.collection.immutable.List<Object> empty = scala.collection.immutable.List$.MODULE$.empty();
        scala.collection.immutable.List<Object> list = empty.$colon$colon("b").$colon$colon("a");
        scala.Option<String> some = scala.Some.apply("a");
        scala.Option<Object> none = scala.Option.empty();
        scala.Tuple2<String, Integer> tuple = new scala.Tuple2<>("a", 1);
        scala.collection.mutable.ArrayBuffer<Object> buffer = new scala.collection.mutable.ArrayBuffer<>();
        scala.collection.mutable.ListBuffer<Object> listed = new scala.collection.mutable.ListBuffer<>();
        scala.collection.mutable.HashMap<Object, Object> table = new scala.collection.mutable.HashMap<>();
        scala.collection.immutable.Map<String, Integer> small =
                new scala.collection.immutable.Map.Map2<>("a", 1, "b", 2);
        scala.collection.immutable.HashMap<Object, Object> trie = new scala.collection.immutable.HashMap<>();
        scala.collection.immutable.Map<Object, Object> mapped = trie;
        for (int at = 0; at < 100; at++) {
            buffer.$plus$eq("e" + at);
            listed.$plus$eq("e" + at);
            table.put("k" + at, at);
            mapped = Grown.with(mapped, "k" + at, at);
        }
        scala.collection.immutable.Vector<Object> vector = buffer.toVector();
        System.out.println(list); // @scala
    }

    static void jackson() throws Exception {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode node = (ObjectNode) mapper.readTree(
                "{\"name\": \"nut\", \"price\": 1.5, \"count\": 3, \"tags\": [true, null]}");
        ArrayNode array = (ArrayNode) node.get("tags");
        Object text = node.get("name");
        System.out.println(node + " " + array + text); // @jackson
    }
}
