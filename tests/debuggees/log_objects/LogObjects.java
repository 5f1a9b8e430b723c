// SPDX-License-Identifier: Apache-2.0

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Objects that a log point writes, and the texts that the program itself makes of them. */
public final class LogObjects {
    private LogObjects() {}

    static final List<String> TEXTS = new ArrayList<>();

    static class Order {
        final int id;
        int asked;

        Order(int id) {
            this.id = id;
        }

        @Override
        public String toString() {
            asked++;
            return "order " + id + " " + "x".repeat(2000) + " end";
        }
    }

    static final class Rush extends Order {
        Rush(int id) {
            super(id);
        }

        @Override
        public String toString() {
            return "rush \"" + id + "\"";
        }
    }

    static final class Broken {
        @Override
        public String toString() {
            throw new IllegalStateException("broken");
        }
    }

    static final class Plain {}

    enum Level {
        LOW,
        HIGH {
            @Override
            public String toString() {
                return "very high";
            }
        }
    }

    static void look(Order order, List<Order> orders, Map<String, Level> levels, Object any, Broken broken) {
        StringBuilder text = new StringBuilder("in ").append(order.id);
        Order nothing = null;
        int[] numbers = {order.id, 2};
        Plain plain = new Plain();
        TEXTS.add(order + "|" + orders + "|" + levels + "|" + any + "|" + text + "|" + nothing); // @look
    }

    public static void main(String[] args) {
        for (int i = 0; i < 6; i++) {
            Order order = i % 2 == 0 ? new Order(i) : new Rush(i);
            Map<String, Level> levels = new TreeMap<>(Map.of("a", Level.LOW, "b", Level.HIGH));
            look(order, List.of(order, new Rush(9)), levels, i % 2 == 0 ? order : "any", new Broken());
        }
        System.out.println(TEXTS.size()); // @end
    }
}
