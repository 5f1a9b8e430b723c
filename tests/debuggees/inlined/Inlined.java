// SPDX-License-Identifier: Apache-2.0

import java.util.List;
import kotlin.collections.CollectionsKt;

/** Runs functions of Kotlin's library into which its compiler has copied others. */
final class Inlined {
    private Inlined() {}

    public static void main(String[] arguments) {
        List<String> words = List.of("one", "two", "three");
        Iterable<String> without = List.of("two");
        System.out.println(CollectionsKt.minus((Iterable<String>) words, without)); // @minus
        System.out.println(CollectionsKt.groupBy(words, String::length)); // @group
    }
}
