// SPDX-License-Identifier: Apache-2.0
package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class BasketTest {
    @Test
    void addsPrices() {
        Basket basket = new Basket();
        basket.add("tea", 450);
        basket.add("cup", 1200);
        assertEquals(1650, basket.total());
    }

    @Test
    void keepsTheDiscount() {
        Basket basket = new Basket();
        basket.add("tea", 450);
        basket.add("cup", 1200);
        basket.discount(10);
        basket.remove("cup");
        int total = basket.total();
        assertEquals(405, total);
    }
}
