// SPDX-License-Identifier: Apache-2.0
package shop;

/** Somebody who buys. */
final class Customer {
    String name;

    Customer(String name) {
        this.name = name;
    }

    static void forget(Customer customer) {
        customer.name = null;
    }

    String greeting() {
        return "Dear " + name.toUpperCase();
    }
}
