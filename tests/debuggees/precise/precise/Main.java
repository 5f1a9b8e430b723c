// SPDX-License-Identifier: Apache-2.0
package precise;

/** What differs from Java only where one looks closely: names, inference, identity, enclosing. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        new Names().visit();
        Inferred.visit();
        new Enclosed("outer").visit();
        Constants.visit();
        Exact.visit();
        Messages.visit();
        Assigned.visit();
    }
}
