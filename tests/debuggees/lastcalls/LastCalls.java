// SPDX-License-Identifier: Apache-2.0
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Lines whose calls return something, for steps over each of them. */
public final class LastCalls {
    interface Shape {
        int area();

        default String name() {
            return "shape";
        }
    }

    static class Square implements Shape {
        final int side;

        Square(int side) {
            this.side = side;
        }

        @Override
        public int area() {
            return side * side;
        }

        @Override
        protected Object clone() {
            return new Square(side);
        }
    }

    static class Cube extends Square {
        Cube(int side) {
            super(side);
        }

        @Override
        public int area() {
            return 6 * super.area();
        }
    }

    static class Late {
        static final int SIZE = twice(8);

        static int size() {
            return SIZE;
        }
    }

    static int flips;
    static Object kept;

    private LastCalls() {}

    static int twice(int number) {
        return 2 * number;
    }

    static long wide(int number) {
        return 5_000_000_000L + number;
    }

    static double half(double number) {
        return number / 2;
    }

    static boolean flip() {
        return flips++ % 2 == 0;
    }

    static char letter() {
        return 'x';
    }

    static void nothing() {
        flips += 2;
    }

    static int fails() {
        throw new IllegalStateException("fails");
    }

    static int factorial(int number) {
        int rest = number < 2 ? 1 : factorial(number - 1);
        return rest * number;
    }

    static int chosen(boolean first) {
        int number = first ? twice(21) : twice(4);
        return number;
    }

    public static void main(String[] args) throws Exception {
        Shape shape = new Cube(2); // @first
        int number = twice(4);
        long wide = wide(number);
        double real = half(wide);
        boolean flipped = flip();
        char letter = letter();
        String name = shape.name();
        number = shape.area();
        number = twice(twice(number));
        number = twice(1) + shape.area();
        number = twice(3); nothing();
        nothing();
        kept = ((Square) shape).clone();
        kept = args.clone();
        number = Late.size();
        number = flip() ? twice(21) : twice(4);
        number = flip() ? 3 : twice(4);
        number = flip() ? number : twice(4);
        number = factorial(5);
        number = System.identityHashCode(null);
        kept = shape.getClass();
        number = Integer.parseInt("42");
        number = List.of(1, 2, 3).size();
        number = Math.max(
                twice(number),
                twice(number + 1));
        try {
            number = twice(5) + fails();
        } catch (IllegalStateException e) {
            number = twice(6);
        }
        IntUnaryOperator lambda = LastCalls::twice;
        number = lambda.applyAsInt(7);
        for (int i = 0; i < 5; i++) number = twice(i);
        number = chosen(true) + number;
        kept = Class.forName("LastCalls$Late");
        twice(number);
        number = 0; // @last
    }
}
