// SPDX-License-Identifier: Apache-2.0
package shop;

/** Something with a price. */
public interface Priced {
    int price();
}
