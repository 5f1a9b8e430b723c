// SPDX-License-Identifier: Apache-2.0
package kinds;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Something for every kind of breakpoint: fields, methods of all sorts, exceptions. */
public final class Kinds {
    private Kinds() {}

    public static void main(String[] args) throws Exception {
        Account first = new Account("first");
        Account second = new Account("second");
        int[] numbers = {1, 2};
        for (int i = 1; i <= 3; i++) { // @loop
            first.add(i);
            second.add(10 * i);
        }
        Account.count = 100; // @static
        int seen = first.balance + second.balance; // @read
        services(); // @services
        exceptions(seen);
        System.out.println(Map.of("numbers", numbers.length));
    }

    static void services() {
        List<Service> services = new ArrayList<>();
        services.add(new Slow());
        services.add(new Quick());
        services.add(text -> text.length()); // @lambda
        services.add(Integer::parseInt); // @reference
        for (Service each : services) {
            each.serve("123"); // @serve
            each.describe();
        }
        new Quick().serveAll();
        new Finder().findOne();
        new Finder().findMany(2);
        new Finder().other();
        new Plain().serve("not of a Service");
        new Inheriting().serve("of one");
        Ordered<Rank> rank = new Rank(1);
        rank.order(new Rank(2)); // @compare
        Account.count += System.identityHashCode(rank) == 0 ? 1 : 0; // @native
    }

    static void exceptions(int seen) {
        for (int i = 0; i < 4; i++) {
            try {
                fail(i, seen); // @try
            } catch (RuntimeException caught) {
                seen++;
            }
        }
    }

    static void fail(int kind, int seen) {
        switch (kind) {
            case 0:
                throw new ShopException("no price " + seen);
            case 1:
                throw new SpecialException("special");
            case 2:
                throw new IllegalStateException("state");
            default:
                Integer.parseInt("12x");
        }
    }
}

class Base {
    int balance;
}

class Account extends Base {
    static int count;
    final String name;

    Account(String name) {
        this.name = name; // @name
    }

    void add(int by) {
        balance += by; // @add
        count++; // @count
    }
}

interface Service {
    int serve(String text);

    default void describe() {
        Account.count++; // @describe
    }
}

class Slow implements Service {
    @Override
    public int serve(String text) {
        return text.length() + 1; // @slow
    }

    public int serve(int other) {
        return other;
    }
}

class Quick implements Service {
    @Override
    public int serve(String text) {
        return 1; // @quick
    }

    @Override
    public void describe() {
        Account.count += 2; // @quick-describe
    }

    void serveAll() {}
}

class Plain {
    public int serve(String text) {
        return 2; // @plain
    }
}

class Inheriting extends Plain implements Service {}

class Finder {
    void findOne() {} // @find-one

    int findMany(int howMany) {
        return howMany; // @find-many
    }

    void other() {}
}

interface Ordered<T> {
    int order(T other);
}

class Rank implements Ordered<Rank> {
    final int value;

    Rank(int value) {
        this.value = value; // @rank
    }

    @Override
    public int order(Rank other) {
        return value - other.value; // @order
    }
}

class ShopException extends RuntimeException {
    ShopException(String message) {
        super(message); // @shop-exception
    }
}

class SpecialException extends ShopException {
    SpecialException(String message) {
        super(message);
    }
}
