// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Lambdas in blocks, on one line with their caller, capturing, nested, and method references. */
public final class Lambdas {
    private final int base;

    private Lambdas(int base) {
        this.base = base;
    }

    public static void main(String[] args) {
        List<String> words = new ArrayList<>(List.of("pear", "fig", "banana"));
        String joined = words.stream().map(w -> w.toUpperCase()).collect(Collectors.joining(",")); // @one-line
        System.out.println(joined);

        int offset = 10;
        IntBinaryOperator add = (a, b) -> {
            int sum = a + b + offset; // @block
            return sum;
        };
        System.out.println(add.applyAsInt(1, 2)); // @apply

        Lambdas lambdas = new Lambdas(100);
        System.out.println(lambdas.captureThis().get());
        Function<Integer, Function<Integer, Integer>> nested = x -> y -> {
            int product = x * y; // @nested
            return product;
        };
        System.out.println(nested.apply(6).apply(7));
        System.out.println(words.stream().map(Lambdas::shout).collect(Collectors.toList()));
    }

    private Supplier<Integer> captureThis() {
        int local = 5;
        return () -> {
            int result = base + local; // @captures
            return result;
        };
    }

    private static String shout(String word) {
        return word + "!"; // @reference
    }
}
