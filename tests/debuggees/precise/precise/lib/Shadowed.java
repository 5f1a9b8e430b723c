// SPDX-License-Identifier: Apache-2.0
package precise.lib;

public final class Shadowed {
    private Shadowed() {}

    public static String who() {
        return "lib.Shadowed";
    }
}
