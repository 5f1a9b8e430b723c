// SPDX-License-Identifier: Apache-2.0
package shop;

/** Named like what Micronaut makes; the test takes out the source file and the lines. */
final class $Order$Exec {
    private $Order$Exec() {}

    static int price(Order order) {
        int price = order.price();
        return price;
    }
}
