// SPDX-License-Identifier: Apache-2.0

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** What VS Code shows in its own way: collections, results, exceptions, frames of lambdas. */
public final class Shown {
    static final class Order {
        final int number;

        Order(int number) {
            this.number = number;
        }

        @Override
        public String toString() {
            return "order " + number;
        }
    }

    public static void main(String[] args) {
        List<Order> few = new ArrayList<>(List.of(new Order(1), new Order(2)));
        List<Integer> many = new ArrayList<>();
        for (int i = 0; i < 250; i++) {
            many.add(i);
        }
        IntUnaryOperator doubling = number -> number * 2; // @lambda
        int result = doubling.applyAsInt(few.size()); // @call
        int next = twice(result); // @step
        System.out.println(next + many.size()); // @after
        throw new IllegalStateException("the end"); // @thrown
    }

    static int twice(int number) {
        return number * 2;
    }
}
