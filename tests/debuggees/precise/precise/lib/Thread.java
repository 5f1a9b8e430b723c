// SPDX-License-Identifier: Apache-2.0
package precise.lib;

public final class Thread {
    private Thread() {}

    public static String who() {
        return "lib.Thread";
    }
}
