// SPDX-License-Identifier: Apache-2.0
import java.util.List;

/** Lines whose step into leads through the JDK, the compiler's methods, and back. */
public final class Steps {
    interface Shape {
        Object area();
    }

    static final class Square implements Shape {
        private final int side;

        Square(int side) {
            this.side = side; // @constructor
        }

        @Override
        public Integer area() {
            return side * side; // @area
        }
    }

    private Steps() {}

    public static void main(String[] args) {
        Shape shape = new Square(3); // @new
        Object area = shape.area(); // @bridge
        List<Integer> numbers = List.of(1, 2); // @jdk
        numbers.forEach(n -> { // @for-each
            System.out.println(n); // @lambda
        });
        int sum = one() + two(); // @two-calls
        System.out.println(area + " " + sum); // @end
    }

    static int one() {
        return 1; // @one
    }

    static int two() {
        return 2; // @two
    }
}
