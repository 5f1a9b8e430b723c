// SPDX-License-Identifier: Apache-2.0
package types;

/** Defined as a hidden class, and once more by a loader of its own. */
class Hidden {
    static int count = 1;
    int number = 2;

    int twice() {
        return 2 * number;
    }
}
