// SPDX-License-Identifier: Apache-2.0
package shop;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

public class Shown {
    enum Colour { RED, GREEN }

    static void show(
            List<String> list,
            Map<String, Integer> map,
            BigDecimal price,
            Integer boxed,
            Colour colour,
            Object plain,
            RuntimeException thrown,
            Class<?> type,
            int[] numbers,
            long big,
            double rate,
            float ratio,
            char letter,
            boolean flag) {
        System.out.println(list); // @shown
        String late = "late"; // @late
    }
}
