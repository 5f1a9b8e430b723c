// SPDX-License-Identifier: Apache-2.0
package together;

/** Classes that use each other, for new code of several at once. */
public final class Main {
    static volatile boolean isDone;

    private Main() {}

    public static void main(String[] args) {
        String said = "";
        while (!isDone) {
            said = Shop.buy() + ", " + Aside.word() + ", " + Area.of(new Round()) + ", " + Outer.nested();
            said.length(); // @round
        }
        System.out.println(said);
    }
}

record Price(int cents) {
    String shown() {
        return "price " + cents;
    }
}

class Shop {
    static String buy() {
        return new Price(5).shown();
    }
}

class Aside {
    static String word() {
        return "old";
    }
}

sealed interface Shape permits Round {}

final class Round implements Shape {}

class Base {}

class Flat extends Base {}

class Area {
    static String of(Shape shape) {
        return new Flat().getClass().getSimpleName();
    }
}

class Outer {
    private static String secret() {
        return "secret";
    }

    static String nested() {
        return Inner.told();
    }

    static class Inner {
        static String told() {
            return secret();
        }
    }
}
