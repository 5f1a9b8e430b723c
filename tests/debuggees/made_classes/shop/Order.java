// SPDX-License-Identifier: Apache-2.0
package shop;

/** What is called through them. */
public class Order {
    int price() {
        return 7; // @price
    }
}
