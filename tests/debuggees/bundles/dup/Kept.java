// SPDX-License-Identifier: Apache-2.0
package dup;

/** In two bundles; in one of them, `current` has another name. */
public class Kept {
    public static final Kept FIRST = new Kept();

    public int current() {
        return 5;
    }

    public Kept twin() {
        return new Kept();
    }

    public boolean isLike(Kept other) {
        return other.current() == current();
    }

    public Object holder() {
        return new Holder();
    }

    public static int size(Kept kept) {
        return kept.current();
    }
}
