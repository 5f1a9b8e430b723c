// SPDX-License-Identifier: Apache-2.0
package shop;

/** Fills a cart and prints what it costs. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        int total = 0; // @main-first
        Cart cart = new Cart();
        cart.add(new Item("apple", 30), 1); // @first
        total += cart.add(new Item("pear", 40), 3); // @second
        try {
            cart.add(new Item("plum", 10), 0); // @third
        } catch (IllegalArgumentException refused) {
            System.err.println("refused: " + refused.getMessage());
        }
        cart.printer().run();
        System.exit(cart.sum() == 150 ? 7 : 8); // @exit
    }
}
