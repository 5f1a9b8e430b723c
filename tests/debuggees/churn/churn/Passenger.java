// SPDX-License-Identifier: Apache-2.0
package churn;

/** Loaded many times: see Churn. */
public final class Passenger {
    private Passenger() {}

    /** n, n - n and 0 for the stops 0, 1 and 2. */
    public static long ride(long n, int stop) {
        return stop == 0 ? n : 0; // @ride
    }
}
