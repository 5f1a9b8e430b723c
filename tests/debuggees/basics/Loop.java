// SPDX-License-Identifier: Apache-2.0

/** A loop that calls: locals of every kind, fields, a static counter, an array, a recursion. */
public final class Loop {
    static int calls;
    private final String name;
    private long total;

    Loop(String name) {
        this.name = name; // @constructor
    }

    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        Loop loop = new Loop("summing");
        for (int i = 0; i < rounds; i++) {
            int square = square(i); // @call
            loop.add(square); // @add
        }
        locals(true, (byte) -1, 'ä', (short) 300, 70_000, 1L << 40, 1.5f, 2.25);
        System.out.println(loop.name + " " + loop.total + " " + factorial(5)); // @done
    }

    /** For expressions: ends the program instead of returning. */
    static int ends(int code, boolean atOnce) {
        if (atOnce) {
            Runtime.getRuntime().halt(code);
        }
        System.exit(code);
        return code;
    }

    static int square(int number) {
        calls++; // @square
        int result = number * number;
        return result; // @squared
    }

    private void add(int amount) {
        long before = total;
        total = before + amount; // @total
    }

    static long factorial(int n) {
        if (n <= 1) {
            return 1; // @bottom
        }
        return n * factorial(n - 1);
    }

    static String locals(
            boolean flag, byte tiny, char letter, short small, int number, long big, float ratio, double exact) {
        String text = "text with \"quotes\" and ünicode";
        int[] numbers = {1, 2, 3};
        Object nothing = null;
        return text + flag + tiny + letter + small + number + big + ratio + exact + numbers.length + nothing; // @locals
    }
}
