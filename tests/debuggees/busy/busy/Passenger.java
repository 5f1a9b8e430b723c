// SPDX-License-Identifier: Apache-2.0
package busy;

/** Loaded again and again by loaders of its own. */
public final class Passenger {
    static int passengers;

    public Passenger() {
        passengers++;
    }

    @Override
    public int hashCode() {
        return 7;
    }
}
