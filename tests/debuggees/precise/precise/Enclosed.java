// SPDX-License-Identifier: Apache-2.0
package precise;

import static expect.Expect.is;
import static expect.Expect.stop;

import java.util.List;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Lambdas and method references in the text, in frames of classes without a name. */
class Enclosed extends Above implements Loud {
    private final String name;
    private int count = 3;

    Enclosed(String name) {
        this.name = name;
    }

    enum Level {
        LOW {
            private int own = 4;

            @Override
            int weigh(int factor) {
                is(((IntSupplier) () -> own * factor).getAsInt());
                is(((IntSupplier) () -> twice() + weight).getAsInt());
                is(((Supplier<String>) () -> name()).get());
                is(((Supplier<String>) this::name).get());
                is(((Supplier<Object>) () -> this).get());
                is(((Supplier<Integer>) () -> values().length).get());
                stop(); // @enum-body
                return own;
            }

            private int twice() {
                return 2 * own;
            }
        },
        HIGH {
            @Override
            int weigh(int factor) {
                return factor;
            }
        };

        int weight = 7;

        abstract int weigh(int factor);
    }

    class Walk {
        final String to;

        Walk(String to) {
            this.to = to;
        }

        Walk(String to, int times) {
            this.to = to + times;
        }

        @Override
        public String toString() {
            return name + " to " + to;
        }
    }

    @Override
    CharSequence cov(int number) {
        return "own " + number;
    }

    @Override
    public String say() {
        return "own";
    }

    void visit() {
        var anon =
                new Object() {
                    int q() {
                        return count + 1;
                    }
                };
        is(((IntSupplier) () -> anon.q()).getAsInt());
        is(((IntSupplier) anon::q).getAsInt());
        is(List.of("a").stream().map(Walk::new).findFirst().get().toString());
        is(((Function<String, Walk>) Walk::new).apply("b").toString());
        is(((java.util.function.BiFunction<String, Integer, Walk>) Walk::new).apply("b", 2).toString());
        is(((Function<String, Enclosed.Walk>) Enclosed.Walk::new).apply("c").to);
        is(((Function<Integer, CharSequence>) super::cov).apply(1));
        is(((Function<Integer, CharSequence>) this::cov).apply(1));
        is(((Supplier<CharSequence>) () -> super.cov(2)).get());
        is(((Supplier<String>) Loud.super::say).get());
        is(((Supplier<String>) () -> Loud.super.say() + count).get());
        is(((Supplier<String>) super::toString).get());
        stop(); // @references
        String pre = "pre";
        int[] box = {1};
        new Object() {
            private final String inner = "inner";
            private int changing = 1;

            int grow(int by) {
                changing += by;
                return changing;
            }

            void run(int parameter) {
                is(((Supplier<String>) () -> pre + inner).get());
                is(((Supplier<String>) () -> name + count).get());
                is(((IntSupplier) () -> changing + parameter).getAsInt());
                is(((IntSupplier) () -> this.changing).getAsInt());
                is(((IntSupplier) () -> Enclosed.this.count).getAsInt());
                is(((IntSupplier) () -> grow(0)).getAsInt());
                is(((IntSupplier) () -> box[0] + inner.length()).getAsInt());
                is(((Supplier<CharSequence>) () -> cov(5)).get());
                is(List.of("x").stream().map(each -> each + pre + inner).findFirst().get());
                is(List.of("y").stream().map(Walk::new).findFirst().get().to);
                stop(); // @anonymous-body
                new Object() {
                    void deeper() {
                        is(((Supplier<String>) () -> pre + inner + name).get());
                        is(((IntSupplier) () -> changing + count).getAsInt());
                        is(((IntSupplier) () -> grow(0) + parameter).getAsInt());
                        stop(); // @nested-anonymous
                    }
                }.deeper();
                Runnable lambda =
                        () -> {
                            is(((Supplier<String>) () -> pre + inner + name).get());
                            is(((IntSupplier) () -> changing + count + parameter).getAsInt());
                            stop(); // @lambda-of-anonymous
                        };
                lambda.run();
            }
        }.run(10);
        class Local<T> {
            private final T held;

            Local(T held) {
                this.held = held;
            }

            void run() {
                is(((Supplier<String>) () -> pre + held).get());
                is(((Supplier<T>) () -> held).get());
                is(((Supplier<Object>) () -> held.hashCode() + count).get());
                stop(); // @local-class
            }
        }
        new Local<>("held").run();
        Level.LOW.weigh(5);
    }
}

class Above {
    CharSequence cov(int number) {
        return "above " + number;
    }
}

interface Loud {
    default String say() {
        return "loud";
    }
}
