// SPDX-License-Identifier: Apache-2.0
package evaluate;

import static expect.Expect.is;
import static expect.Expect.makes;
import static expect.Expect.stop;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** Places whose names come from somewhere else than the method itself. */
class Contexts<T extends Comparable<T>> extends Base implements Greeter {
    private final T item;
    private final List<T> items = new ArrayList<>();
    private int counter = 10;
    private static int shared = 3;
    protected String hidden = "own";

    Contexts(T item, List<T> more) {
        this.item = item;
        items.addAll(more);
        is("item", item);
        is("this.counter", this.counter);
        is("items.size() + counter", items.size() + counter);
        is("more.size()", more.size());
        stop(); // @constructor
    }

    void run() {
        instance("argument");
        Inner inner = new Inner(1);
        inner.look(inner.new Deeper(2));
        new Nested().look();
        local(5);
        anonymous("caught");
        lambdas(3, "text");
        generic(item, items, 4);
        greet("you");
        handler();
        blocks(2);
    }

    void instance(String argument) {
        is("counter", counter);
        is("this.counter * 2", this.counter * 2);
        is("item", item);
        is("item.compareTo(items.get(0)) > 0", item.compareTo(items.get(0)) > 0);
        is("items.get(0)", items.get(0));
        is("shared + inherited", shared + inherited);
        is("hidden", hidden);
        is("super.hidden", super.hidden);
        is("((Base) this).hidden", ((Base) this).hidden);
        is("who()", who());
        is("this.who()", this.who());
        is("super.who()", super.who());
        is("secret()", secret());
        is("BASE_CONSTANT + Base.BASE_CONSTANT", BASE_CONSTANT + Base.BASE_CONSTANT);
        is("GREETING", GREETING);
        is("Greeter.super.greeting()", Greeter.super.greeting());
        is("greeting()", greeting());
        is("Greeter.make(\"x\")", Greeter.make("x"));
        is("argument + hidden", argument + hidden);
        is("this", this);
        is("this instanceof Base", this instanceof Base);
        is("equals(this)", equals(this));
        is("getClass()", getClass());
        is("getClass().getSimpleName()", getClass().getSimpleName());
        is("Main.count + Main.CONSTANT", Main.count + Main.CONSTANT);
        is("new Nested().number + Nested.LIMIT", new Nested().number + Nested.LIMIT);
        is("new Inner(4).number", new Inner(4).number);
        is("this.new Inner(5).number", this.new Inner(5).number);
        is("new Contexts.Nested().number", new Contexts.Nested().number);
        stop(); // @instance
    }

    class Inner {
        final int number;
        private int counter = 20;

        Inner(int number) {
            this.number = number;
        }

        class Deeper {
            int number;

            Deeper(int number) {
                this.number = number;
            }
        }

        void look(Deeper deeper) {
            is("counter", counter);
            is("this.counter + Contexts.this.counter", this.counter + Contexts.this.counter);
            is("item", item);
            is("items.size()", items.size());
            is("shared++ + --shared", shared++ + --shared);
            is("number", number);
            is("deeper.number", deeper.number);
            is("who()", who());
            is("inherited", inherited);
            is("Contexts.this", Contexts.this);
            is("new Inner(9).number", new Inner(9).number);
            is("new Deeper(8).number", new Deeper(8).number);
            is("Contexts.super.who()", Contexts.super.who());
            is("Contexts.this.item == item", Contexts.this.item == item);
            stop(); // @inner
        }
    }

    static class Nested {
        static final int LIMIT = 100;
        int number = 6;

        void look() {
            is("number + LIMIT", number + LIMIT);
            is("shared", shared);
            is("Contexts.shared + 1", Contexts.shared + 1);
            is("new Nested().number", new Nested().number);
            stop(); // @static-nested
        }
    }

    void local(int captured) {
        String text = "local";
        class Local {
            int own = captured * 2;

            int look(int argument) {
                is("own + captured + argument", own + captured + argument);
                is("text.length()", text.length());
                is("counter", counter);
                is("item", item);
                is("this.own", this.own);
                stop(); // @local-class
                return own;
            }
        }
        new Local().look(1);
    }

    void anonymous(String captured) {
        Comparator<String> comparator = new Comparator<>() {
            int calls = 0;

            @Override
            public int compare(String left, String right) {
                calls++;
                is("calls", calls);
                is("captured + left + right", captured + left + right);
                is("left.compareTo(right)", left.compareTo(right));
                is("counter + shared", counter + shared);
                is("Contexts.this.hidden", Contexts.this.hidden);
                is("who()", who());
                stop(); // @anonymous
                return 0;
            }
        };
        comparator.compare("a", "b");
    }

    void lambdas(int factor, String text) {
        IntUnaryOperator times = number -> {
            int result = number * factor;
            is("result", result);
            is("number * factor + 1", number * factor + 1);
            is("counter + factor", counter + factor);
            is("item", item);
            is("this.who()", this.who());
            stop(); // @lambda
            return result;
        };
        times.applyAsInt(7);
        Supplier<Integer> plain = () -> {
            is("text.length() + shared", text.length() + shared);
            is("text", text);
            is("shared", shared);
            is("Main.twice(text.length())", Main.twice(text.length()));
            stop(); // @static-lambda
            return text.length();
        };
        plain.get();
    }

    <K extends Comparable<K>, V extends Number> void generic(K key, List<K> keys, V number) {
        V[] none = null;
        List<? extends Number> numbers = List.of(1, 2, 3);
        List<List<String>> nested = List.of(List.of("deep"));
        is("key.compareTo(keys.get(0)) > 0", key.compareTo(keys.get(0)) > 0);
        is("number.intValue() + 1", number.intValue() + 1);
        is("number", number);
        is("keys.get(0).compareTo(key) < 0", keys.get(0).compareTo(key) < 0);
        is("numbers.get(1).intValue()", numbers.get(1).intValue());
        is("nested.get(0).get(0).length()", nested.get(0).get(0).length());
        is("none == null", none == null);
        is("(Object) key == item", (Object) key == item);
        is("keys.size() == items.size()", keys.size() == items.size());
        is("new Pair<>(key, number).second.doubleValue()",
                new Pair<>(key, number).second.doubleValue());
        is("new Pair<String, Integer>(\"a\", 1).first.length()",
                new Pair<String, Integer>("a", 1).first.length());
        makes("new Pair<K, V>(key, number)", new Pair<K, V>(key, number));
        stop(); // @generic
    }

    static final class Pair<A, B> {
        final A first;
        final B second;

        Pair(A first, B second) {
            this.first = first;
            this.second = second;
        }

        @Override
        public String toString() {
            return first + "/" + second;
        }
    }

    void handler() {
        try {
            throw new IllegalStateException("oops");
        } catch (IllegalStateException e) {
            int length = e.getMessage().length();
            is("e.getMessage()", e.getMessage());
            is("e.getMessage().length() == length", e.getMessage().length() == length);
            is("e instanceof RuntimeException", e instanceof RuntimeException);
            is("e.getStackTrace().length > 0", e.getStackTrace().length > 0);
            is("e.getCause() == null", e.getCause() == null);
            stop(); // @handler
        }
    }

    void blocks(int number) {
        for (int i = 0; i < 1; i++) {
            String inside = "i" + i;
            switch (number) {
                case 2:
                    long inner = number + i;
                    is("inner + i", inner + i);
                    is("inside + number", inside + number);
                    is("i < number", i < number);
                    stop(); // @blocks
                    break;
                default:
                    throw new IllegalStateException();
            }
        }
        {
            int inside = 4;
            is("inside + number", inside + number);
            stop(); // @second-block
        }
    }

    static int recursive(int depth, int product) {
        if (depth == 0) {
            is("depth", depth);
            is("product", product);
            is("recursive(-1, product + 1)", recursive(-1, product + 1));
            is("shared * product", shared * product);
            stop(); // @recursion
            return product;
        }
        return depth < 0 ? product : recursive(depth - 1, product * depth);
    }

    @Override
    public String who() {
        return "contexts";
    }
}

/** What Contexts inherits. */
class Base {
    static final int BASE_CONSTANT = 77;
    protected int inherited = 1;
    protected String hidden = "base";

    String who() {
        return "base";
    }

    private String unseen() {
        return "unseen";
    }

    protected String secret() {
        return unseen() + "!";
    }
}

/** An interface with everything an interface can have. */
interface Greeter {
    String GREETING = "hello";

    default String greeting() {
        return GREETING + "!";
    }

    static String make(String text) {
        return "<" + text + ">";
    }

    default String greet(String name) {
        String text = greeting() + name;
        is("text", text);
        is("greeting() + name.length()", greeting() + name.length());
        is("GREETING", GREETING);
        is("make(name)", make(name));
        is("this instanceof Contexts", this instanceof Contexts);
        is("((Contexts<?>) this).who()", ((Contexts<?>) this).who());
        is("hashCode() == this.hashCode()", hashCode() == this.hashCode());
        is("toString().isEmpty()", toString().isEmpty());
        stop(); // @default-method
        return text;
    }
}
