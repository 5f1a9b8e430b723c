// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;

/** A small program to try the debugger on: it adds up what is in a basket. */
public class Basket {
    static final class Item {
        final String name;
        final int cents;
        final int count;

        Item(String name, int cents, int count) {
            this.name = name;
            this.cents = cents;
            this.count = count;
        }

        int price() {
            return cents * count;
        }
    }

    private final List<Item> items = new ArrayList<>();
    private int discountPercent;

    void add(String name, int cents, int count) {
        items.add(new Item(name, cents, count));
    }

    int total() {
        int total = 0;
        for (Item item : items) {
            int price = item.price();
            total += price; // @sum
        }
        return discounted(total);
    }

    private int discounted(int total) {
        return total - total * discountPercent / 100;
    }

    public static void main(String[] args) {
        Basket basket = new Basket();
        basket.add("tea", 450, 2);
        basket.add("cup", 1200, 1);
        basket.add("honey", 799, 3);
        basket.discountPercent = 10;
        System.out.println("items: " + basket.items.size());
        System.out.println("total: " + basket.total());
    }
}
