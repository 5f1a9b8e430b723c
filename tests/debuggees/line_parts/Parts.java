// SPDX-License-Identifier: Apache-2.0

import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/** Lines with several lambdas. */
public final class Parts {
    private Parts() {}

    static int total;

    static boolean above(int limit, int value) {
        return value > limit;
    }

    public static void main(String[] args) {
        List<List<Integer>> lists = List.of(List.of(1, 2), List.of(3));
        System.out.print(lists.stream().map(a -> a.size()).filter(b -> b > 0).map(c -> c + 1).count()); // @three
        List<Object> sums = lists.stream().map(a -> a.stream().filter(b -> b > 1).count()).collect(Collectors.toList()); // @nested
        lists.forEach(a -> {
            total += a.stream().map(b -> b + 1).filter(c -> c > 1).collect(Collectors.toList()).size(); // @inside
            total++;
        });
        lists.stream().forEach(
                a -> total += a.size()); // @alone
        IntPredicate most = a -> above(1, a); // @one
        total += most.test(2) ? 1 : 0;
        System.out.println(sums.size() + total); // @end
    }
}
