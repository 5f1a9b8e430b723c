// SPDX-License-Identifier: Apache-2.0
package dropin;

/** The debugger replaces this class while it runs: OLD1 becomes NEW1 in its constant pool. */
final class Redefined {
    private Redefined() {}

    static String answer() {
        return "OLD1";
    }
}
