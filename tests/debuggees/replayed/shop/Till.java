// SPDX-License-Identifier: Apache-2.0
package shop;

public class Till {
    static int made;
    int total;
    String name;
    int[] prices = new int[3];

    Till(String name) {
        this.name = name;
        made++;
    }

    int add(int price) {
        int before = total; // @before
        total = before + price; // @added
        prices[0] = price;
        return total; // @returned
    }

    static int depth(int left) {
        if (left == 0) {
            return 0; // @deepest
        }
        return depth(left - 1) + 1; // @deeper
    }

    static void check(int sum) {
        if (sum > 20) {
            throw new IllegalStateException("too much"); // @thrown
        }
    }

    public static void main(String[] args) {
        Till till = new Till("a"); // @made
        int sum = 0; // @sum
        for (int i = 0; i < 3; i++) { // @loop
            sum = till.add(i * 10); // @called
        }
        int deep = depth(4); // @depth
        till.name = null; // @cleared
        try {
            check(sum); // @checked
        } catch (IllegalStateException caught) {
            sum = deep; // @caught
        }
        System.out.println(sum); // @last
    } // @end
}
