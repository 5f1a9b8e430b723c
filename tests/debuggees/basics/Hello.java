// SPDX-License-Identifier: Apache-2.0

/** Prints a greeting and ends with the exit code that its first argument names. */
public final class Hello {
    private Hello() {}

    public static void main(String[] args) {
        String greeting = "hello"; // @greeting
        System.out.println(greeting); // @print
        System.err.println("to stderr");
        int code = args.length > 0 ? Integer.parseInt(args[0]) : 0;
        System.exit(code); // @exit
    }

    /** For conditions: ends the program instead of answering. */
    static boolean exits(int code) {
        System.exit(code);
        return true;
    }
}
