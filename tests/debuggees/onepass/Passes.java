// SPDX-License-Identifier: Apache-2.0

import java.util.Map;
import java.util.TreeMap;

/** Counts how often a line was passed, by the name of its marker. */
final class Passes {
    static final Map<String, Integer> COUNTED = new TreeMap<>();

    private Passes() {}

    static void pass(String name) {
        COUNTED.merge(name, 1, Integer::sum);
    }

    /** Counts the line that it is on. */
    static int at(String name, int value) {
        pass(name);
        return value;
    }

    /** `name=count` of each. */
    static String all() {
        return COUNTED.toString();
    }
}
