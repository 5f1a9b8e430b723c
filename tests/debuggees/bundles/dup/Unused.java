// SPDX-License-Identifier: Apache-2.0
package dup;

/** No class of the program uses it. */
public class Unused {
    public String text() {
        return "unused";
    }
}
