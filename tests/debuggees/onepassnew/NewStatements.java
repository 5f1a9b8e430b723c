// SPDX-License-Identifier: Apache-2.0

import java.util.function.Supplier;

/** Statements of Java 14 to 17 that compilers write several times, or in parts. */
final class NewStatements {
    static final Statements.Form[] FORMS = {
        NewStatements::returnSwitch, NewStatements::assignedSwitch, NewStatements::yielding,
        NewStatements::switchInArgument, NewStatements::pattern, NewStatements::otherPattern,
        NewStatements::arrowSwitch,
        NewStatements::stringArrows, NewStatements::enumSwitch, NewStatements::record,
        NewStatements::tryInSwitch, NewStatements::lambdaSwitch,
    };

    private NewStatements() {}

    static int at(String name, int value) {
        return Passes.at(name, value);
    }

    static String returnSwitch(int n) {
        return switch (at("return-switch", n)) { // @return-switch
            case 1 -> "one";
            case 2 -> "two";
            default -> "many";
        };
    }

    static int assignedSwitch(int n) {
        int found = switch (at("assigned-switch", n)) { // @assigned-switch
            case 1, 2 -> 1;
            default -> n > 4
                ? 2
                : 3;
        };
        return found;
    }

    static int yielding(int n) {
        return 1 + switch (at("yield", n)) { // @yield
            case 1:
                yield at("first-yield", 1); // @first-yield
            default:
                int twice = n * 2;
                yield twice > 8
                    ? 1
                    : 2;
        };
    }

    static int switchInArgument(int n) {
        return Math.max(at("switch-in-argument", n), // @switch-in-argument
            switch (n) {
                case 1 -> 4;
                default -> 5;
            });
    }

    static Object object(int n) {
        return n % 2 == 0 ? "text" + n : (Object) n;
    }

    static boolean pattern(int n) {
        return object(at("pattern", n)) instanceof String text // @pattern
            && text.length() > 1
            && !text.equals("text4");
    }

    static boolean otherPattern(int n) {
        Object object = object(n);
        Passes.pass("local-pattern");
        return object instanceof String text // @local-pattern
            && text.length() > 1
            && !text.equals("text4");
    }

    static int arrowSwitch(int n) {
        switch (at("arrow-switch", n)) { // @arrow-switch
            case 1 -> Passes.pass("arrow"); // @arrow
            case 2, 3 -> {
                Passes.pass("arrow-block"); // @arrow-block
            }
            default -> { }
        }
        return 0;
    }

    static int stringArrows(int n) {
        return switch (Integer.toString(at("string-arrows", n % 3))) { // @string-arrows
            case "1" -> 1;
            case "2" -> 2;
            default -> 0;
        };
    }

    enum Size { SMALL, BIG }

    static int enumSwitch(int n) {
        return switch (Size.values()[at("enum-switch", n) % 2]) { // @enum-switch
            case SMALL -> 1;
            case BIG -> 2;
        };
    }

    record Checked(int value) {
        Checked {
            if (at("compact-constructor", value) > 5 // @compact-constructor
                && value < 7) {
                throw new IllegalArgumentException();
            }
        }
    }

    static int record(int n) {
        try {
            return new Checked(at("new-record", n)).value(); // @new-record
        } catch (IllegalArgumentException e) {
            return 0;
        }
    }

    static int tryInSwitch(int n) {
        return at("try-in-switch", n) + switch (n) { // @try-in-switch
            case 1 -> {
                try {
                    yield at("yield-in-try", 1); // @yield-in-try
                } finally {
                    Passes.pass("finally-in-switch"); // @finally-in-switch
                }
            }
            default -> 2;
        };
    }

    static int lambdaSwitch(int n) {
        Supplier<Integer> made = () -> switch (at("lambda-switch", n)) { // @lambda-switch
            case 1 -> 1;
            default -> 2;
        };
        Passes.pass("lambda-switch");
        return made.get();
    }
}
