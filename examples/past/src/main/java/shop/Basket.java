// SPDX-License-Identifier: Apache-2.0
package shop;

import java.util.ArrayList;
import java.util.List;

/** What a customer wants to buy. The tutorial "From a failing test to its cause" finds what is wrong in it. */
class Basket {
    static final class Item {
        final String name;
        final int cents;

        Item(String name, int cents) {
            this.name = name;
            this.cents = cents;
        }
    }

    private final List<Item> items = new ArrayList<>();
    private int discountPercent;

    void add(String name, int cents) {
        items.add(new Item(name, cents));
    }

    void discount(int percent) {
        discountPercent = percent;
    }

    void clear() {
        items.clear();
        discountPercent = 0;
    }

    void remove(String name) {
        List<Item> kept = new ArrayList<>();
        for (Item item : items) {
            if (!item.name.equals(name)) {
                kept.add(item);
            }
        }
        clear();
        items.addAll(kept);
    }

    int total() {
        int total = 0;
        for (Item item : items) {
            total += item.cents;
        }
        return total - total * discountPercent / 100;
    }
}
