// SPDX-License-Identifier: Apache-2.0
package harbour;

import java.util.ArrayList;

/** In another package than the program. */
public class Pier extends ArrayList<String> {
    protected static int built = 1950;
    protected int length = 5;
    int depth = 9;

    protected int plank(int n) {
        return n * 4;
    }

    protected static String sign(String text) {
        return "[" + text + "]";
    }

    int fathoms(int n) {
        return n * depth;
    }
}
