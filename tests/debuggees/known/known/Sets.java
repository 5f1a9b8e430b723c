// SPDX-License-Identifier: Apache-2.0
package known;

import static known.Said.elements;
import static known.Said.inside;

import java.util.BitSet;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Sets, and the keys and values of maps. */
final class Sets {
    private Sets() {}

    static void make() {
        List<Integer> many = IntStream.range(0, 50).boxed().collect(Collectors.toList());
        elements(new HashSet<>(many));
        elements(new LinkedHashSet<>(List.of(3, 1, 2)));
        elements(new TreeSet<>(many));
        elements(Set.of());
        elements(Set.of(1));
        elements(Set.of("a", "b"));
        elements(new ConcurrentSkipListSet<>(many));
        elements(new ConcurrentSkipListSet<>(many).descendingSet());
        elements(new TreeSet<>(many).descendingSet());
        elements(new TreeSet<>(many).subSet(3, 9));
        elements(new TreeSet<>(Set.of("a", "b", "c", "d")).tailSet("b", false));
        elements(EnumSet.noneOf(TimeUnit.class));
        elements(Collections.checkedSet(new HashSet<>(many), Integer.class));
        elements(Collections.emptySortedSet());
        elements(Collections.unmodifiableSet(new HashSet<>(many)));
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
        BitSet bits = new BitSet();
        bits.set(3);
        bits.set(64, 66);
        bits.set(1000);
        inside(bits, 3, 64, 65, 1000);
        inside(new BitSet());
    }
}
