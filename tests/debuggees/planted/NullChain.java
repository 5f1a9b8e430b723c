// SPDX-License-Identifier: Apache-2.0

/** One order of a thousand has a customer without an address. */
public final class NullChain {
    record Address(String city) {}

    record Customer(String name, Address address) {}

    record Order(int number, Customer customer) {
        Customer customerOf() {
            return customer;
        }
    }

    private NullChain() {}

    static int length(Order order) {
        return order.customerOf().address().city().length(); // @chain
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int number = 0; number < 1000; number++) {
            Address address = number == 617 ? null : new Address("Ulm");
            try {
                sum += length(new Order(number, new Customer("c" + number, address)));
            } catch (NullPointerException failure) {
                System.out.println("lost an order");
            }
        }
        System.out.println(sum);
    }
}
