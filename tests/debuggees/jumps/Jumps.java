// SPDX-License-Identifier: Apache-2.0

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Methods in which a thread jumps once from {@code name-from} to {@code name-to}, each beside a
 * method in which that jump is written out. Both print what they did.
 */
public final class Jumps {
    private static int arguments;
    private static int initialized;
    private final int number;

    private Jumps(int number) {
        this.number = number;
    }

    interface Source<T> {
        T get(T value, long wide);
    }

    static class Plain implements Source<String> {
        @Override
        public String get(String value, long wide) {
            String held = value + wide; // @generic-to
            held = held + "!";
            return held + value.length(); // @generic-from
        }
    }

    static class PlainWritten implements Source<String> {
        @Override
        public String get(String value, long wide) {
            String held = value + wide;
            held = held + "!";
            held = value + wide;
            held = held + "!";
            return held + value.length();
        }
    }

    static class Initialized {
        static final int START = ++initialized;

        static String once(int a) {
            StringBuilder out = new StringBuilder("a" + a);
            out.append(START); // @static-to
            out.append(initialized); // @static-from
            return out.toString();
        }
    }

    public static void main(String[] args) {
        for (String name : args) {
            System.out.println(name + " " + run(name));
            System.out.println(name + " " + run(name + "Written"));
        }
    }

    private static int argument(int value) {
        arguments++;
        return value;
    }

    private static String run(String name) {
        int before = arguments;
        String result;
        try {
            result = "" + call(name);
        } catch (RuntimeException thrown) {
            result = "threw " + thrown.getMessage();
        }
        return result + " arguments=" + (arguments - before);
    }

    private static Object call(String name) {
        switch (name) {
            case "forward":
                return new Jumps(3).forward(argument(4), argument(5));
            case "forwardWritten":
                return new Jumps(3).forwardWritten(argument(4), argument(5));
            case "back":
                return back(argument(2));
            case "backWritten":
                return backWritten(argument(2));
            case "each":
                return each(Arrays.asList("x", "y", "z"), new int[] {argument(1), 2, 3});
            case "eachWritten":
                return eachWritten(Arrays.asList("x", "y", "z"), new int[] {argument(1), 2, 3});
            case "array":
                return array(new long[] {argument(10), 20, 30});
            case "arrayWritten":
                return arrayWritten(new long[] {argument(10), 20, 30});
            case "wides":
                return wides(argument(1), 0x123456789ABL, 0.1, 1.5f);
            case "widesWritten":
                return widesWritten(argument(1), 0x123456789ABL, 0.1, 1.5f);
            case "caught":
                return caught(argument(0));
            case "caughtWritten":
                return caughtWritten(argument(0));
            case "cleanup":
                return cleanup(argument(3));
            case "cleanupWritten":
                return cleanupWritten(argument(3));
            case "chosen":
                return chosen("two", argument(1));
            case "chosenWritten":
                return chosenWritten("two", argument(1));
            case "blocks":
                return blocks(argument(6));
            case "blocksWritten":
                return blocksWritten(argument(6));
            case "lambda":
                IntFunction<String> body = value -> {
                    String text = "v" + value; // @lambda-to
                    text += "w";
                    return text + value; // @lambda-from
                };
                return body.apply(argument(8));
            case "lambdaWritten":
                IntFunction<String> written = value -> {
                    String text = "v" + value;
                    text += "w";
                    text = "v" + value;
                    text += "w";
                    return text + value;
                };
                return written.apply(argument(8));
            case "generic":
                return through(new Plain());
            case "genericWritten":
                return through(new PlainWritten());
            case "static":
                return Initialized.once(argument(1));
            case "staticWritten":
                return "a" + argument(1) + "111";
            case "changed":
                return changed(argument(1), "p");
            case "changedWritten":
                return changedWritten(argument(1), "p");
            case "resource":
                return resource(argument(1));
            case "resourceWritten":
                return resourceWritten(argument(1));
            case "skipped":
                return skipped(argument(1));
            case "skippedWritten":
                return skippedWritten(argument(1));
            case "thrown":
                return thrown(argument(1));
            case "thrownWritten":
                return thrownWritten(argument(1));
            case "nested":
                return nested(argument(3));
            case "nestedWritten":
                return nestedWritten(argument(3));
            default:
                throw new AssertionError(name);
        }
    }

    private static String through(Source<String> source) {
        return source.get("g" + argument(1), argument(2));
    }

    private String forward(int a, int b) {
        int sum = a + number;
        sum += 10; // @forward-from
        sum += 100;
        int more = sum + b; // @forward-to
        return sum + "," + more;
    }

    private String forwardWritten(int a, int b) {
        int sum = a + number;
        int more = sum + b;
        return sum + "," + more;
    }

    private static String back(int from) {
        int i = from;
        StringBuilder out = new StringBuilder();
        while (i < 5) {
            out.append(i); // @back-to
            i++;
            out.append(';'); // @back-from
        }
        return out.toString();
    }

    private static String backWritten(int from) {
        int i = from;
        boolean jumps = true;
        StringBuilder out = new StringBuilder();
        while (i < 5) {
            out.append(i);
            i++;
            if (jumps) {
                jumps = false;
                out.append(i);
                i++;
            }
            out.append(';');
        }
        return out.toString();
    }

    private static String each(List<String> names, int[] numbers) {
        StringBuilder out = new StringBuilder();
        for (String name : names) {
            for (int each : numbers) {
                out.append(name); // @each-to
                out.append(each);
                out.append(' '); // @each-from
            }
        }
        return out.toString();
    }

    private static String eachWritten(List<String> names, int[] numbers) {
        StringBuilder out = new StringBuilder("x1");
        for (String name : names) {
            for (int each : numbers) {
                out.append(name);
                out.append(each);
                out.append(' ');
            }
        }
        return out.toString();
    }

    private static String array(long[] numbers) {
        long total = 0;
        for (long each : numbers) {
            total = total * 3 + each; // @array-to
            total++; // @array-from
        }
        return "" + total;
    }

    private static String arrayWritten(long[] numbers) {
        long total = numbers[0];
        for (long each : numbers) {
            total = total * 3 + each;
            total++;
        }
        return "" + total;
    }

    private static String wides(int a, long b, double c, float d) {
        long wide = b + a;
        double real = c * 3;
        float small = d / 3;
        char letter = 'q';
        boolean flag = true;
        byte tiny = (byte) -3;
        wide += 1; // @wides-from
        real = 0;
        small = 0;
        return wide + " " + real + " " + small + " " + letter + flag + tiny + b + c + d; // @wides-to
    }

    private static String widesWritten(int a, long b, double c, float d) {
        return (b + a) + " " + c * 3 + " " + d / 3 + " " + 'q' + true + -3 + b + c + d;
    }

    private static String caught(int divisor) {
        StringBuilder out = new StringBuilder();
        out.append('s'); // @caught-from
        out.append('k');
        try {
            out.append(1 / divisor); // @caught-to
        } catch (ArithmeticException thrown) {
            out.append(thrown.getMessage());
        }
        return out.toString();
    }

    private static String caughtWritten(int divisor) {
        StringBuilder out = new StringBuilder();
        try {
            out.append(1 / divisor);
        } catch (ArithmeticException thrown) {
            out.append(thrown.getMessage());
        }
        return out.toString();
    }

    private static String cleanup(int value) {
        StringBuilder out = new StringBuilder();
        int kept = value;
        try {
            out.append("try "); // @cleanup-to
            kept *= 2;
            if (kept > 1000) {
                return "large";
            }
        } finally {
            kept += 1;
            out.append("finally "); // @cleanup-from
        }
        return out.append(kept).toString();
    }

    private static String cleanupWritten(int value) {
        return "try try finally " + ((value * 2 + 1) * 2 + 1);
    }

    private static String chosen(String what, int value) {
        StringBuilder out = new StringBuilder();
        switch (what) {
            case "one":
                out.append("one"); // @chosen-to
                out.append(value);
                break;
            case "two":
                out.append("two");
                out.append(value); // @chosen-from
                break;
            default:
                out.append("none");
        }
        return out.append('.').toString();
    }

    private static String chosenWritten(String what, int value) {
        return "twoone" + value + ".";
    }

    private static String blocks(int value) {
        StringBuilder out = new StringBuilder();
        {
            String text = "first" + value;
            out.append(text); // @blocks-to
        }
        {
            int other = value * 2;
            long wide = other;
            out.append(other);
            out.append(wide); // @blocks-from
        }
        return out.toString();
    }

    private static String blocksWritten(int value) {
        // The variable of the first block has no value when the second one is left for it.
        return "first" + value + value * 2 + null + value * 2 + value * 2;
    }

    private static String changed(int a, String text) {
        a += 40;
        text = text + a;
        String more = text; // @changed-to
        a++;
        text = more + a; // @changed-from
        return text + a;
    }

    private static String changedWritten(int a, String text) {
        return "p41" + 43 + 43;
    }

    private static String resource(int value) {
        StringBuilder out = new StringBuilder();
        try (InputStream in = new ByteArrayInputStream(new byte[] {7, 8, 9, 10})) {
            out.append(in.read()); // @resource-to
            out.append(',');
            out.append(value); // @resource-from
        } catch (IOException thrown) {
            out.append(thrown);
        }
        return out.toString();
    }

    private static String resourceWritten(int value) {
        return "7,8," + value;
    }

    private static String skipped(int value) {
        StringBuilder out = new StringBuilder(); // @skipped-from
        int count = value + 5;
        String text = "t" + count;
        out = new StringBuilder("n"); // @skipped-to
        return out.append(count).append(text).toString();
    }

    private static String skippedWritten(int value) {
        return "n0null";
    }

    private static String thrown(int value) {
        int left = 3;
        left -= value; // @thrown-from
        left -= 100;
        if (left > 0) { // @thrown-to
            throw new IllegalStateException("left " + left);
        }
        return "returned";
    }

    private static String thrownWritten(int value) {
        throw new IllegalStateException("left 3");
    }

    private static String nested(int depth) {
        if (depth == 0) {
            return "";
        }
        String inner = nested(depth - 1);
        String text = inner + depth; // @nested-to
        text += "n"; // @nested-from
        return text;
    }

    private static String nestedWritten(int depth) {
        return "1n2n3n";
    }
}
