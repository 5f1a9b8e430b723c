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
