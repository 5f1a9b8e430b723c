// SPDX-License-Identifier: Apache-2.0
package precise;

/** Hidden by the import of another class of this name. */
public final class Shadowed {
    private Shadowed() {}

    public static String who() {
        return "precise.Shadowed";
    }
}
