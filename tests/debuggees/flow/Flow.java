// SPDX-License-Identifier: Apache-2.0

/** Control flow that javac compiles in ways worth testing: copied `finally` blocks, switches, labels. */
public final class Flow {
    enum Colour { RED, GREEN, BLUE }

    private Flow() {}

    static int cleanups;

    static int guarded(boolean fail) {
        try {
            if (fail) {
                throw new IllegalStateException("asked to fail");
            }
            return 1;
        } finally {
            cleanups++; // @finally
        }
    }

    static String ofString(String key) {
        switch (key) {
            case "one":
                return "1"; // @case-one
            case "two":
                return "2"; // @case-two
            default:
                return "?"; // @case-default
        }
    }

    static int ofEnum(Colour colour) {
        int code = 0;
        switch (colour) {
            case RED:
                code = 1; // @red
                break;
            case GREEN:
                code = 2;
                break;
            default:
                code = 3;
        }
        return code; // @code
    }

    static int search(int[][] table, int wanted) {
        int steps = 0;
        rows:
        for (int[] row : table) {
            for (int cell : row) {
                steps++; // @inner-loop
                if (cell == wanted) {
                    break rows;
                }
            }
        }
        return steps; // @found
    }

    static int whileDo(int n) {
        int rounds = 0;
        while (n > 1) {
            n = n % 2 == 0 ? n / 2 : 3 * n + 1; // @collatz
            rounds++;
        }
        return rounds;
    }

    public static void main(String[] args) {
        int first = guarded(false); // @normal
        int second = 0;
        try {
            second = guarded(true); // @throwing
        } catch (IllegalStateException e) {
            second = -1; // @caught
        }
        System.out.println(first + " " + second + " " + cleanups);
        System.out.println(ofString("two") + ofEnum(Colour.RED));
        System.out.println(search(new int[][] {{1, 2}, {3, 4}, {5, 6}}, 4));
        System.out.println(whileDo(6));
    }
}
