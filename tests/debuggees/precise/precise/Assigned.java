// SPDX-License-Identifier: Apache-2.0
package precise;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What is changed in a list of variables. */
final class Assigned {
    private Assigned() {}

    static void visit() {
        float ratio = 1;
        Float boxed = 1f;
        float[] ratios = {1};
        Messages.Level level = null;
        Function<String, Integer> length = String::hashCode;
        Runnable[] tasks = {null};
        List<String> names = new ArrayList<>(List.of("a", "b"));
        List<Messages.Level> levels = new ArrayList<>(List.of(Messages.Level.LOW));
        Map<String, Integer> counts = new HashMap<>(Map.of("k", 1));
        Map<String, Float> ratiosByName = new HashMap<>(Map.of("r", 1f));
        List<Integer> fixed = List.of(1);
        levels.set(0, null);
        System.out.println(names); // @assigned
        System.out.println("" + ratio + boxed + ratios[0] + level + length + tasks[0]);
        System.out.println("" + levels + counts + ratiosByName + fixed);
    }
}
