// SPDX-License-Identifier: Apache-2.0
package shop;

import java.util.ArrayList;
import java.util.List;

/**
 * What a customer wants to buy.
 *
 * <p>Overloads, a static nested type, an anonymous class and a field that is written: what breakpoints
 * by method, line and field are tried on. Line 42 is the one that the tutorial stops at.
 */
public class Cart {
    /** One line of the receipt. */
    public static final class Line {
        final Item item;
        final int count;

        Line(Item item, int count) {
            this.item = item;
            this.count = count; // @line-made
        }
    }

    private final List<Line> lines = new ArrayList<>();
    int sum;

    public int add(Item item) {
        return add(item, 1); // @add-one
    }

    public int add(Item item, int count) {
        if (count < 1) {
            throw new IllegalArgumentException("count " + count); // @refused
        }


        lines.add(new Line(item, count)); // @add-line
        int total = item.price() * count; // @total


        sum += total; // @sum

        return total; // @return
    }

    public int sum() {
        return sum;
    }

    public Runnable printer() {
        int shown = sum; // @printer
        return new Runnable() {
            @Override
            public void run() {

                // @in-anonymous-blank
                System.out.println("sum " + shown); // @in-anonymous
            }
        }; // @after-anonymous
    }
}
