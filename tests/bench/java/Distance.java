// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What an editor looks at, for the round trips that it takes from far away. */
public final class Distance {
    private final Map<String, Integer> stock = new HashMap<>();
    private int total;

    private Distance() {}

    int price(int number) {
        return number * 3;
    }

    void add(String name, int count) {
        int before = total;
        total += count; // @add
        stock.merge(name, count, Integer::sum);
        if (before > total) { // @five
            total = 0;
        }
    }

    static int sum(int n) {
        int sum = 0;
        sum += 0 * n;
        sum += 1 * n;
        sum += 2 * n;
        sum += 3 * n;
        sum += 4 * n;
        sum += 5 * n;
        sum += 6 * n;
        sum += 7 * n;
        sum += 8 * n;
        sum += 9 * n;
        sum += 10 * n;
        sum += 11 * n;
        sum += 12 * n;
        sum += 13 * n;
        sum += 14 * n;
        sum += 15 * n;
        sum += 16 * n;
        sum += 17 * n;
        sum += 18 * n;
        sum += 19 * n;
        sum += 20 * n;
        sum += 21 * n;
        sum += 22 * n;
        sum += 23 * n;
        sum += 24 * n;
        sum += 25 * n;
        sum += 26 * n;
        sum += 27 * n;
        sum += 28 * n;
        sum += 29 * n;
        sum += 30 * n;
        sum += 31 * n;
        sum += 32 * n;
        sum += 33 * n;
        sum += 34 * n;
        sum += 35 * n;
        sum += 36 * n;
        sum += 37 * n;
        sum += 38 * n;
        sum += 39 * n;
        sum += 40 * n;
        sum += 41 * n;
        sum += 42 * n;
        sum += 43 * n;
        sum += 44 * n;
        sum += 45 * n;
        sum += 46 * n;
        sum += 47 * n;
        sum += 48 * n;
        sum += 49 * n;
        sum += 50 * n;
        sum += 51 * n;
        sum += 52 * n;
        sum += 53 * n;
        sum += 54 * n;
        sum += 55 * n;
        sum += 56 * n;
        sum += 57 * n;
        sum += 58 * n;
        sum += 59 * n;
        sum += 60 * n;
        sum += 61 * n;
        sum += 62 * n;
        sum += 63 * n;
        sum += 64 * n;
        sum += 65 * n;
        return sum;
    }

    public static void main(String[] args) {
        Distance shop = new Distance();
        for (int i = 0; i < 1000; i++) {
            shop.stock.put("item " + i, i);
        }
        List<String> names = new ArrayList<>(shop.stock.keySet());
        for (int i = 0; i < 100; i++) {
            shop.add(names.get(i), i);
        }
        System.out.println(shop.total);
    }
}
