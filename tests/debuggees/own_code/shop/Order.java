// SPDX-License-Identifier: Apache-2.0
package shop;

/** What is called through proxies. */
public class Order implements Priced {
    @Override
    public int price() {
        return 7; // @price
    }

    int kept() {
        return 4; // @kept
    }
}
