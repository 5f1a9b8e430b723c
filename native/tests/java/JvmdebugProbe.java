// SPDX-License-Identifier: Apache-2.0
//
// What the probes of rewrite_jdk.cmake call; compiled into java.base.
package java.lang;

public final class JvmdebugProbe {
    public static long hits;

    public static void hit() {
        hits++;
    }
}
