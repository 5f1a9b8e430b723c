// SPDX-License-Identifier: Apache-2.0

import java.util.List;
import kotlin.Pair;
import kotlin.collections.ArrayDeque;
import kotlin.ranges.IntProgression;
import kotlin.ranges.IntRange;
import scala.Option;
import scala.collection.immutable.Range;
import scala.util.Right;

/** Enters code that the compilers of Kotlin and Scala made. */
final class Languages {
    private Languages() {}

    public static void main(String[] arguments) {
        ArrayDeque<String> deque = new ArrayDeque<>(List.of("one", "three"));
        Pair<String, IntRange> pair = new Pair<>("key", new IntRange(2, 9));
        Option<String> option = Option.apply("some");
        System.out.println(deque + " " + pair + option); // @kotlin-from-java
        deque.addFirst("zero");
        IntProgression.Companion.fromClosedRange(1, 10, 3);
        pair.getSecond().contains(5);
        Range range = new Range.Inclusive(1, 9, 2);
        range.contains(4);
        new Right<String, Integer>(4).contains(4);
    }
}
