// SPDX-License-Identifier: Apache-2.0
package checked;

/** What a debugger makes a part throw, with what the part was given. */
final class Thrown extends RuntimeException {
    private static final long serialVersionUID = 1;
    final int n;

    Thrown(int n) {
        super(null, null, false, false);
        this.n = n;
    }
}
