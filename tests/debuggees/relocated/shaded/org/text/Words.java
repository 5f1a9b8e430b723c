// SPDX-License-Identifier: Apache-2.0
package shaded.org.text;

/** A class of that library. */
public final class Words {
    private Words() {}

    public static int count(String text) {
        return text.split(" ").length;
    }
}
