// SPDX-License-Identifier: Apache-2.0
import java.util.function.IntUnaryOperator;

/** Lines with many calls: nested, chained, in lambdas, in classes not initialised yet. */
public final class Calls {
    private Calls() {}

    public static void main(String[] args) {
        Calls calls = new Calls();
        int a = sum(one(1), two(2)) + new Part("x").size(); // @nested
        String b = calls.first().second().third(); // @chained
        IntUnaryOperator twice = n -> two(n) + n; IntUnaryOperator none = null; // @made
        int c = twice.applyAsInt(3) + one(4); // @proxy
        int d = apply(n -> n + one(n)); // @lambda
        int e = Late.number(one(5)); // @late
        try {
            e += sum(fails(), one(6)); // @fails
        } catch (IllegalStateException caught) {
            e++; // @caught
        }
        int f = down(3); // @down-call
        Source<String> source = new Text();
        String g = source.get("g") + Math.abs(-1) + "x".isEmpty(); // @bridge
        long h = System.identityHashCode(b); // @native
        System.out.println(a + b + c + d + e + f + g + (none == null) + (h != 0)); // @end
    }

    static int sum(int left, int right) {
        return left + right; // @sum
    }

    static int one(int n) {
        return n; // @one
    }

    static int two(int n) {
        return 2 * n; // @two
    }

    static int apply(IntUnaryOperator operator) {
        return operator.applyAsInt(10); // @apply
    }

    static int fails() {
        throw new IllegalStateException("fails"); // @throw
    }

    static int down(int n) {
        return n == 0 ? one(0) : down(n - 1) + two(n); // @down
    }

    Calls first() {
        return this; // @first
    }

    Calls second() {
        return this; // @second
    }

    String third() {
        return "third"; // @third
    }
}

class Part {
    private final String name;

    Part(String name) {
        this.name = name; // @part
    }

    int size() {
        return name.length(); // @size
    }
}

class Late {
    static int start = Calls.one(100); // @late-start

    static int number(int n) {
        return start + n; // @late-number
    }
}

interface Source<T> {
    T get(T what);
}

class Text implements Source<String> {
    @Override
    public String get(String what) {
        return "got " + what; // @text
    }
}
