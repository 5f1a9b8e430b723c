// SPDX-License-Identifier: Apache-2.0
import java.util.LinkedHashMap;
import java.util.Map;

/** What the benchmarks debug: a deep stack with locals of many kinds, lines to step over, a hot loop. */
public final class BenchTarget {
    private final String name;
    private long total;
    private int[] numbers = {1, 2, 3, 4, 5};

    private BenchTarget(String name) {
        this.name = name;
    }

    private long descend(int left, int rounds) {
        if (left > 0) {
            return descend(left - 1, rounds) + 1;
        }
        return show(rounds);
    }

    private long show(int rounds) {
        String text = "a string in a local";
        Map<String, Integer> stock = new LinkedHashMap<>();
        stock.put("tea", 3);
        double ratio = 0.75;
        boolean open = true;
        Object self = this;
        total = numbers.length; // @show
        return walk(rounds) + text.length() + stock.size() + (open ? 1 : 0) + (long) ratio + self.hashCode();
    }

    private long walk(int rounds) {
        long sum = 0;
        for (int i = 0; i < rounds; i++) {
            sum += add(i); // @step
            sum -= add(1);
            sum ^= add(2);
        }
        return sum;
    }

    private int add(int amount) {
        total += amount;
        return amount + numbers[0];
    }

    private static long hot(int rounds) {
        long sum = 0;
        for (int i = 0; i < rounds; i++) {
            sum += i; // @hot
        }
        return sum;
    }

    public static void main(String[] args) {
        int steps = Integer.parseInt(args[0]);
        int hits = Integer.parseInt(args[1]);
        BenchTarget target = new BenchTarget("bench");
        long sum = target.descend(18, steps);
        sum += hot(hits); // @before-hot
        System.out.println(target.name.length() + sum); // @end
    }
}
