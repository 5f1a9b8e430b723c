// SPDX-License-Identifier: Apache-2.0
package shop;

import java.util.ArrayList;
import java.util.List;

/** What a customer is about to buy. */
final class Cart {
    private final Customer customer;
    private final List<Integer> prices = new ArrayList<>();
    private int total;

    Cart(Customer customer) {
        this.customer = customer;
    }

    void add(int price) {
        prices.add(price);
        total += price; // sum
    }

    int toPay(int discount) {
        return total - reduction(discount);
    }

    int reduction(int discount) {
        return total * discount / 100;
    }

    static String order(String text) {
        return "order " + text;
    }
}
