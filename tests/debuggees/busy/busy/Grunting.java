// SPDX-License-Identifier: Apache-2.0
package busy;

/** An interface with code of its own. */
interface Grunting {
    default int grunt() {
        return 1;
    }

    static int loud() {
        return 2;
    }
}
