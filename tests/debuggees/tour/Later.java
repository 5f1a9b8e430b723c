// SPDX-License-Identifier: Apache-2.0

/** Loaded late, by a loader of its own. */
public final class Later {
    private Later() {}

    public static void call() {
        System.out.println("later"); // @later
    }
}
