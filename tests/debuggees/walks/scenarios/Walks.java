// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntBinaryOperator;

/** Scenarios to step through: the debugger names the next one at `stop` and comes back there. */
public class Walks {
    static String next = "nothing";
    static int count;
    static final Walks first = new Walks(1);
    static final Walks second = new Walks(2);

    final int number;

    Walks(int number) {
        this.number = number;
    }

    // --- straight code and calls ----------------------------------------------------------------

    static int leaf(int number) {
        int twice = 2 * number; // @leaf
        return twice + 1; // @leafEnd
    }

    static int middle(int number) {
        int result = leaf(number); // @middle
        return result + 1; // @middleEnd
    }

    static void straight() {
        int value = 1; // @straight
        value = middle(value); // @callMiddle
        value += leaf(leaf(value)); // @callTwice
        for (int i = 0; i < 2; i++) { // @loop
            value += i; // @loopBody
        }
        count = value > 3 ? leaf(1) : middle(2); // @choice
    } // @straightEnd

    static int fib(int n) {
        if (n < 2) { // @fib
            return n; // @fibBase
        }
        int left = fib(n - 1); // @fibLeft
        return left + fib(n - 2); // @fibRight
    }

    static void recursion() {
        count = fib(5); // @recursion
        count++; // @recursionEnd
    }

    // --- exceptions -----------------------------------------------------------------------------

    static void thrower(int depth) {
        if (depth == 0) {
            throw new IllegalStateException("thrown"); // @throw
        }
        thrower(depth - 1); // @rethrow
    }

    static void cleaner() {
        try {
            thrower(1); // @cleanerCall
        } finally {
            count++; // @finally
        }
    }

    static int inner() {
        try {
            thrower(0); // @innerCall
        } catch (IllegalStateException expected) {
            count++; // @innerCatch
        }
        return count; // @innerEnd
    }

    static void exceptions() {
        inner(); // @exceptions
        try {
            cleaner(); // @callCleaner
        } catch (IllegalStateException expected) {
            count++; // @outerCatch
        }
        count++; // @exceptionsEnd
    }

    // --- through the JDK and native code --------------------------------------------------------

    public static int target(int number) {
        return number + 1; // @target
    }

    static void reflection() throws Exception {
        Object result = Walks.class.getMethod("target", int.class).invoke(null, 1); // @reflection
        count = (Integer) result; // @reflectionEnd
    }

    static class Privileged implements java.security.PrivilegedAction<String> {
        @Override
        public String run() {
            return "privileged"; // @privilegedRun
        }
    }

    @SuppressWarnings({"deprecation", "removal"})
    static void privileged() {
        String text = java.security.AccessController.doPrivileged(new Privileged()); // @privileged
        count = text.length(); // @privilegedEnd
    }

    static void natives() {
        long before = System.nanoTime(); // @natives
        int hash = System.identityHashCode(first); // @callNative
        Object copy = new int[] {1, 2}.clone(); // @callClone
        count = hash != 0 && before != 0 && copy != null ? 1 : 0; // @nativesEnd
    }

    static void threadRun() throws InterruptedException {
        Thread thread = new Thread(() -> count++, "runner"); // @threadBody
        thread.start(); // @threadStart
        thread.join(); // @threadJoin
    }

    // --- objects --------------------------------------------------------------------------------

    static class Parent {
        int a = leaf(1); // @parentField

        Parent(int number) {
            a += number; // @parentBody
        }

        int same(Object argument) {
            return a; // @parentSame
        }
    }

    static class Child extends Parent implements Comparable<Child> {
        int b = leaf(2); // @childField

        Child(int number) {
            super(middle(number)); // @childSuper
            b += a; // @childBody
        }

        @Override
        int same(Object argument) {
            return super.same(argument) + 1; // @childSame
        }

        @Override
        public int compareTo(Child other) {
            return Integer.compare(b, other.b); // @compareTo
        }
    }

    static class Initialised {
        static int value = leaf(3); // @initialised

        static {
            value++; // @staticBlock
        }

        static int get() {
            return value; // @initialisedGet
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    static void objects() {
        Child child = new Child(1); // @objects
        count = child.same(null); // @callSame
        count += ((Comparable) child).compareTo(child); // @callBridge
        count += Initialised.get(); // @callInitialised
        count++; // @objectsEnd
    }

    static int apply(IntBinaryOperator operator, int a, int b) {
        return operator.applyAsInt(a, b); // @apply
    }

    static void lambdas() {
        int captured = count; // @lambdas
        count = apply((a, b) -> a + b + captured, 1, 2); // @callLambda
        count = apply(Math::max, 1, 2); // @callReference
        List<String> words = new ArrayList<>(List.of("b", "a")); // @words
        words.sort((a, b) -> a.compareTo(b)); // @sort
        count = words.size(); // @lambdasEnd
    }

    int own(int amount) {
        return amount + number; // @own
    }

    static void instances() {
        count = first.own(1); // @instances
        count = second.own(2); // @second
        count = first.own(3); // @third
    }

    static synchronized int locked(int number) {
        synchronized (first) { // @enter
            return leaf(number); // @inside
        }
    }

    static void monitors() {
        count = locked(1); // @monitors
        count++; // @monitorsEnd
    }

    // --- the scenarios -------------------------------------------------------------------------------

    static void run(String scenario) throws Exception {
        switch (scenario) { // @choose
            case "straight":
                straight();
                break;
            case "recursion":
                recursion();
                break;
            case "exceptions":
                exceptions();
                break;
            case "reflection":
                reflection();
                break;
            case "privileged":
                privileged();
                break;
            case "natives":
                natives();
                break;
            case "threadRun":
                threadRun();
                break;
            case "objects":
                objects();
                break;
            case "lambdas":
                lambdas();
                break;
            case "instances":
                instances();
                break;
            case "monitors":
                monitors();
                break;
            default:
                break;
        }
    }

    static void stop() {
        count = 0; // @stop
    }

    public static void main(String[] args) throws Exception {
        while (true) {
            stop();
            run(next);
        }
    }
}
