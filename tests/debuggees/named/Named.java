// SPDX-License-Identifier: Apache-2.0
// Compiled with -parameters, and without tables of variables: the names of parameters are there.

import java.util.Map;
import java.util.WeakHashMap;

public class Named {
    class Inner {
        final int kept;

        Inner(int given, String text) {
            kept = given + text.length(); // @inner
        }
    }

    static int add(int first, long wide, String... rest) {
        int sum = first + (int) wide + rest.length;
        return sum; // @add
    }

    static void look(Map.Entry<String, Integer> entry, Map.Entry<String, Integer> none) {
        System.out.println(entry.getKey() + none.getKey()); // @look
    }

    public static void main(String[] args) {
        System.out.println(add(1, 2L, "x") + new Named().new Inner(3, "four").kept);
        Map<String, Integer> weak = new WeakHashMap<>();
        weak.put("held", 7);
        Map<String, Integer> nothing = new WeakHashMap<>();
        nothing.put(null, 8);
        look(weak.entrySet().iterator().next(), nothing.entrySet().iterator().next());
    }
}
