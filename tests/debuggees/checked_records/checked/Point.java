// SPDX-License-Identifier: Apache-2.0
package checked;

/** A record with a compact constructor, nested in a sealed interface. */
sealed interface Point {
    record Flat(int x, int y) implements Point {
        public Flat {
            if (x == Integer.MIN_VALUE) {
                throw new IllegalArgumentException("x " + x);
            }
        }
    }

    record Deep(int x, Flat inner) implements Point {}

    /** The first number of it. */
    static int x(Point point) {
        if (point instanceof Deep deep) {
            return deep.x() + deep.inner().x();
        }
        return ((Flat) point).x();
    }
}
