// SPDX-License-Identifier: Apache-2.0
package attributes;

import java.util.List;

/** Records and sealed types. */
public sealed interface Newer permits Newer.Point, Newer.Shape {
    String name();

    static String touch(Newer given) {
        return given.name(); // @newer
    }

    /** A record whose components have all that one can have. */
    record Point<@Marks.Typed(1) T extends Number>(
            @Marks.Seen("x") @Marks.Unseen @Marks.Typed(2) int x,
            @Marks.UnseenTyped List<@Marks.Typed(3) T> others,
            String... rest)
            implements Newer {
        @Marks.Seen
        public Point {
            others = List.copyOf(others);
        }

        @Override
        public String name() {
            return "point " + x;
        }
    }

    /** A sealed class. */
    abstract sealed class Shape implements Newer {
        protected final String word;

        protected Shape(final String word) {
            this.word = word;
        }
    }

    /** A class that may be extended again. */
    non-sealed class Round extends Shape {
        Round(int times) {
            super("o".repeat(times));
        }

        @Override
        public String name() {
            return word;
        }
    }
}
