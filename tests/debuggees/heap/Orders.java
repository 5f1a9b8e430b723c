// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;

/** Objects to choose among, one that dies on request, and two sites that allocate. */
public final class Orders {
    interface Priced {
        int price();
    }

    static class Order implements Priced {
        final int total;
        final String customer;
        Order next;

        Order(int total, String customer) {
            this.total = total;
            this.customer = customer;
        }

        @Override
        public int price() {
            return total;
        }
    }

    static final class Express extends Order {
        Express(int total) {
            super(total, null);
        }
    }

    static final class Kept {
        final byte[] content = new byte[4096];
    }

    static final class Dropped {
        final byte[] content = new byte[4096];
    }

    static final List<Order> ALL = new ArrayList<>();
    static final Order[] ARRAY = new Order[5];
    static final List<Kept> KEPT = new ArrayList<>();
    static Order mortal = new Order(-1, "mortal");
    static volatile Object last;

    private static void keep() {
        if (KEPT.size() < 20_000) {
            KEPT.add(new Kept()); // @kept
        }
    }

    private static void drop() {
        last = new Dropped(); // @dropped
    }

    public static void main(String[] arguments) throws Exception {
        for (int number = 0; number < 200; number++) {
            ALL.add(new Order(number, "customer " + number % 10));
        }
        for (int number = 0; number < 10; number++) {
            ALL.add(new Express(1000 + number));
        }
        ALL.get(0).next = ALL.get(1);
        ARRAY[3] = ALL.get(1);
        Order local = ALL.get(0);
        System.out.println("ready");
        while (local.total == 0) {
            for (int number = 0; number < 100; number++) {
                keep();
                drop();
            }
            Thread.sleep(2); // @serving
        }
    }
}
