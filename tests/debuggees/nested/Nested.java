// SPDX-License-Identifier: Apache-2.0

/** Inner, static nested, local and anonymous classes, and what they see of the outer ones. */
public final class Nested {
    private int counter = 1;
    private static String label = "outer";

    class Inner {
        private int counter = 2;

        class Deeper {
            int sum(int extra) {
                return counter + Nested.this.counter + extra; // @deeper
            }
        }
    }

    static class StaticNested {
        String greet(String name) {
            String text = label + " greets " + name;
            return text; // @static-nested
        }
    }

    interface Shape {
        double area();

        default String describe() {
            double area = area();
            return "area " + area; // @default-method
        }
    }

    int run(int argument) {
        int captured = argument * 2;
        class Local {
            int value() {
                return captured + counter; // @local
            }
        }
        Shape shape = new Shape() {
            @Override
            public double area() {
                double side = captured;
                return side * side; // @anonymous
            }
        };
        System.out.println(shape.describe());
        return new Local().value();
    }

    public static void main(String[] args) {
        Nested nested = new Nested();
        Inner inner = nested.new Inner();
        System.out.println(inner.new Deeper().sum(39));
        System.out.println(new StaticNested().greet("you"));
        System.out.println(nested.run(4));
    }
}
