// SPDX-License-Identifier: Apache-2.0

import static java.util.stream.Collectors.toList;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/** Statements that compilers write several times, or in parts. Each counts its own passes. */
final class Statements {
    interface Form {
        void run(int n) throws Exception;
    }

    static final Form[] FORMS = {
        Statements::and, Statements::or, Statements::choice, Statements::argument,
        Statements::lambda, Statements::oneLine, Statements::condition, Statements::assigned,
        Statements::called, Statements::chain, Statements::chainedLambdas, Statements::nestedLambdas,
        Statements::forLoop, Statements::each, Statements::whileLoop, Statements::doLoop,
        Statements::oneLineLoop, TryStatements::returnInTry, TryStatements::returnInNestedTry,
        TryStatements::breakOutOfTry, TryStatements::continueOutOfTry, TryStatements::returnInCatch,
        TryStatements::returnInFinally, TryStatements::resource, TryStatements::returnWithResource,
        Statements::locked, Statements::oldSwitch, Statements::stringSwitch, Statements::asserted,
        Statements::constructors, Statements::constants, Statements::thrown, Statements::nothing,
        Statements::array, Statements::text, Statements::returnLocked, Statements::labelled,
        Statements::shortEnum, Statements::bridged,
    };

    private Statements() {}

    static int at(String name, int value) {
        return Passes.at(name, value);
    }

    static boolean and(int n) {
        return at("and", n) > 2 // @and
            && n != 4
            && n < 9;
    }

    static boolean or(int n) {
        return at("or", n) < 2 // @or
            || n > 7
            || n == 4;
    }

    static String choice(int n) {
        return at("choice", n) > 2 // @choice
            ? "big"
            : n > 1
                ? "middle"
                : "small";
    }

    static int argument(int n) {
        return Math.max(at("argument", n), // @argument
            n > 3
                ? 4
                : 5);
    }

    static boolean lambda(int n) {
        Passes.pass("lambda");
        IntPredicate made = each -> at("lambda", each) > 2 // @lambda
            && each < 9;
        return made.test(n);
    }

    static boolean oneLine(int n) { return at("one-line", n) > 1 && n < 9 || n == 12; } // @one-line

    static int condition(int n) {
        if (at("condition", n) > 1 // @condition
            && n < 5
            || n == 6) {
            return 1;
        } else if (at("else-if", n) > 5 // @else-if
            && n < 8) {
            return 2;
        }
        return 0;
    }

    static boolean assigned(int n) {
        boolean found;
        found = at("assigned", n) > 2 // @assigned
            && n < 9;
        return found;
    }

    static int called(int n) {
        return Math.addExact(at("called", n), // @called
            Math.min(
                n,
                5));
    }

    static String chain(int n) {
        return new StringBuilder("a" + at("chain", n)) // @chain
            .append(n > 3
                ? "b"
                : "c")
            .append(n)
            .toString();
    }

    static List<Integer> chainedLambdas(int n) {
        Passes.pass("filter"); // the call, beside the lambda
        return Arrays.asList(at("chained-lambdas", n), 2, 3).stream() // @chained-lambdas
            .filter(each -> at("filter", each) > 0) // @filter
            .map(each ->
                at("map", each) // @map
                    + 1)
            .collect(toList());
    }

    static int nestedLambdas(int n) {
        Passes.pass("nested-lambdas");
        IntFunction<IntUnaryOperator> made = a -> b -> at("nested-lambdas", a) + b; // @nested-lambdas
        Passes.pass("nested-lambdas");
        return made.apply(n).applyAsInt(2);
    }

    static int forLoop(int n) {
        int sum = 0;
        for (int i = at("for", 0); i < n; i += at("for", 1)) { // @for
            sum += i;
        }
        return sum;
    }

    static int each(int n) {
        int sum = 0;
        for (int each : new int[] {at("each", n), 2, 3}) { // @each
            Passes.pass("each");  // the array's next index is on the line of the head
            sum += each;
        }
        return sum;
    }

    static int whileLoop(int n) {
        int left = n;
        while (at("while", left) > 0 // @while
            && left < 100) {
            left--; // @while-body
            Passes.pass("while-body");
        }
        return left;
    }

    static int doLoop(int n) {
        int left = n;
        do {
            Passes.pass("do-body"); // @do-body
            left--;
        } while (at("do", left) > 0 // @do
            && left < 100);
        return left;
    }

    static int oneLineLoop(int n) {
        int left = at("one-line-loop", n); while (left > 0) left--; // @one-line-loop
        return left;
    }

    static int locked(int n) {
        int count = n;
        synchronized (lock(n)) { // @locked
            count++;
        }
        return count;
    }

    static Object lock(int n) {
        Passes.pass("locked");
        return Passes.class;
    }

    static int returnLocked(int n) {
        synchronized (Statements.class) {
            return at("return-locked", n) // @return-locked
                + 1;
        }
    }

    static int oldSwitch(int n) {
        switch (at("old-switch", n)) { // @old-switch
            case 1:
            case 2:
                Passes.pass("case"); // @case
                break;
            default:
                return at("default", n) > 4 // @default
                    ? 1
                    : 2;
        }
        return 0;
    }

    static int stringSwitch(int n) {
        switch (Integer.toString(at("string-switch", n % 3))) { // @string-switch
            case "1":
                return at("string-case", 1); // @string-case
            case "2":
                return 2;
            default:
                return 0;
        }
    }

    static void asserted(int n) {
        Passes.pass("assert");
        assert n > 0 // @assert
            && n < 100 : "out of range";
    }

    static final class Built {
        final int first = at("initializer", 1) // @initializer
            + 2;
        final boolean second;

        Built() {
            this(at("this-call", 1), // @this-call
                2);
        }

        Built(int a, int b) {
            second = at("constructor", a) > 1 // @constructor
                && b > 2;
        }

        Built(String text) {
            second = text.isEmpty();
        }
    }

    static Object constructors(int n) {
        return n > 3
            ? new Built()
            : new Built("text");
    }

    enum Constant {
        FIRST(at("constant", 1), // @constant
            2),
        SECOND(at("second-constant", 1) > 0 // @second-constant
            ? 1
            : 2, 3);

        Constant(int a, int b) {
            Passes.pass("enum-constructor"); // @enum-constructor
        }
    }

    static int constants(int n) {
        return Constant.values().length;
    }

    enum Short { A(at("short-enum", 1)), B(2); Short(int n) { Passes.pass("short-enum"); } } // @short-enum

    static int shortEnum(int n) {
        return Short.A.ordinal();
    }

    static final class Sized implements Comparable<Sized> { public int compareTo(Sized other) { return at("bridged", 0); } } // @bridged

    static int bridged(int n) {
        Passes.pass("bridged"); // the constructor
        Comparable<Sized> first = new Sized();
        return first.compareTo(null);
    }

    static void thrown(int n) {
        try {
            throw new IllegalStateException("a" // @throw
                + at("throw", n)
                + (n > 3
                    ? "b"
                    : "c"));
        } catch (IllegalStateException e) {
            Passes.pass("catch"); // @catch
        }
    }

    static void nothing(int n) {
        if (n > 4) {
            Passes.pass("return-nothing"); return; // @return-nothing
        }
        Passes.pass("last"); // @last
    }

    static int[] array(int n) {
        return new int[] {at("array", n), // @array
            n > 3
                ? 1
                : 2,
            3};
    }

    static String text(int n) {
        return "a" + at("text", n) // @text
            + (n > 3
                ? "b"
                : "c")
            + n;
    }

    static int labelled(int n) {
        int sum = 0;
        outer:
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < n; k++) {
                try {
                    if (k == 2) {
                        Passes.pass("continue-outer"); continue outer; // @continue-outer
                    }
                    sum += k;
                } finally {
                    Passes.pass("finally-of-label"); // @finally-of-label
                }
            }
        }
        return sum;
    }

    static void runAll(Form... forms) throws Exception {
        for (Form each : forms) {
            for (int n = 1; n <= 9; n++) {
                each.run(n);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Passes.pass("begun"); // @begun
        runAll(FORMS);
        runAll(more("NewStatements"));
        runAll(more("PatternStatements"));
        String counted = Passes.all();
        System.out.println(counted); // @end
    }

    /** Those that only newer compilers know. */
    static Form[] more(String type) throws ReflectiveOperationException {
        try {
            return (Form[]) Class.forName(type).getDeclaredField("FORMS").get(null);
        } catch (ClassNotFoundException e) {
            return new Form[0];
        }
    }
}
