// SPDX-License-Identifier: Apache-2.0
package checked;

/** A class with a constructor and one method. */
final class Getter {
    private final int value;

    Getter(int value) {
        this.value = value;
    }

    int get() {
        return value;
    }
}
