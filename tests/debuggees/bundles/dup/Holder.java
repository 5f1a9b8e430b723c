// SPDX-License-Identifier: Apache-2.0
package dup;

/** Of one bundle only; what it holds has a namesake. */
public class Holder {
    public final Kept kept = Kept.FIRST;
}
