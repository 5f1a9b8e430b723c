// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Arrays from empty to ten million elements, nested ones, and the usual collections. */
public final class Arrays {
    private Arrays() {}

    public static void main(String[] args) {
        int[] big = new int[10_000_000];
        for (int i = 0; i < big.length; i++) {
            big[i] = i * 2;
        }
        String[] words = {"zero", "one", null, "three"};
        long[][] table = {{1, 2}, {}, {3}};
        Object[] mixed = {1, "two", 3.0, 'c', null, new int[] {5}};
        boolean[] empty = {};
        List<Integer> list = new ArrayList<>();
        Map<String, Integer> map = new LinkedHashMap<>();
        for (int i = 0; i < 250; i++) {
            list.add(i);
            map.put("key" + i, i);
        }
        System.out.println(big[big.length - 1] + words.length + table.length + mixed.length + empty.length); // @stop
        System.out.println(list.size() + map.size());
    }
}
