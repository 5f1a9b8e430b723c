// SPDX-License-Identifier: Apache-2.0
package shop;

/** Calls its own code through classes that generators have made beside it. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Order order = new Order();
        int sum = 0;
        for (int round = 0; round < 2; round++) {
            sum += $Order$Exec.price(order); // @exec
            sum += Around.price(order); // @around
        }
        System.out.println(sum);
    }
}
