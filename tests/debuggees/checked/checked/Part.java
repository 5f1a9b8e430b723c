// SPDX-License-Identifier: Apache-2.0
package checked;

/** A kind of code that computes what it was given, in a way of its own. */
@FunctionalInterface
public interface Part {
    /** `n`, if nothing goes wrong. */
    int pass(int n) throws Exception;
}
