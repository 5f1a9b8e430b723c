// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.atomic.AtomicInteger;

/** Methods of many shapes, to which calls are added. */
public final class Edited {
    /** What the added calls do. */
    public static final class Counts {
        static final AtomicInteger entries = new AtomicInteger();
        static final AtomicInteger returns = new AtomicInteger();
        static volatile String last = "";
        static volatile Object object;

        private Counts() {}

        public static void enter(String method, int number, long big, double half, boolean yes) {
            if (number < 0 || big != 1L << 40 || half != 0.5 || !yes) {
                throw new AssertionError(method);
            }
            last = method;
            entries.incrementAndGet();
        }

        public static int leave(Object self) {
            object = self;
            return returns.incrementAndGet();
        }
    }

    static final class Late {
        private int value;

        Late(int value) {
            this.value = value > 3 ? value : -value;
        }

        int shaped(int n) {
            int sum = 0;
            for (int i = 0; i < n; i++) {
                switch (i % 4) {
                    case 0:
                        sum += i;
                        break;
                    case 1:
                        sum -= 1;
                        break;
                    case 2:
                        continue;
                    default:
                        sum += new StringBuilder().append(i > 5 ? "x" : "yy").length();
                }
            }
            return sum + value;
        }

        String named(String name) {
            switch (name) {
                case "a":
                    return "first";
                case "b":
                    return "second";
                default:
                    try {
                        return String.valueOf(Integer.parseInt(name));
                    } catch (NumberFormatException failure) {
                        return failure.getMessage() == null ? "none" : "bad";
                    } finally {
                        value++;
                    }
            }
        }

        static long spins(int n) {
            long sum = 0;
            while (true) {
                if (n-- == 0) {
                    return sum;
                }
                sum += n;
            }
        }
    }

    static int early() {
        return 1;
    }

    public static void main(String[] args) {
        early();
        System.out.println("begins"); // @begins
        Late late = new Late(5);
        String found = late.shaped(40) + " " + late.named("a") + late.named("b") + late.named("7");
        found += late.named("seven") + " " + Late.spins(10) + " " + early();
        finish(found);
    }

    static void finish(String found) {
        System.out.println(found);
        System.out.println("ends"); // @ends
    }
}
