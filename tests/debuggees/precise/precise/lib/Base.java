// SPDX-License-Identifier: Apache-2.0
package precise.lib;

public class Base {
    public static class Nest {
        public static String who() {
            return "Base.Nest";
        }
    }

    public static class Twice {
        public static final String VALUE = "Base.Twice";
    }

    /** Inherited as it is. */
    public static class Only {}
}
