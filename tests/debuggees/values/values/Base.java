// SPDX-License-Identifier: Apache-2.0
package values;

/** Has a field that its subclass hides. */
class Base {
    private int total = 11;
    static String shared = "of the base";
}
