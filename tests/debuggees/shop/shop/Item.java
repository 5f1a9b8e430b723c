// SPDX-License-Identifier: Apache-2.0
package shop;

/** Something with a price, in cents. */
public final class Item {
    final String name;
    final int price;

    public Item(String name, int price) {
        this.name = name;
        this.price = price;
    }

    public int price() {
        return price;
    }
}
