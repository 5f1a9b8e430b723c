// SPDX-License-Identifier: Apache-2.0

/** Statements of Java 21 that compilers write several times, or in parts. */
final class PatternStatements {
    static final Statements.Form[] FORMS = {
        PatternStatements::recordPattern, PatternStatements::patternSwitch,
    };

    private PatternStatements() {}

    static int at(String name, int value) {
        return Passes.at(name, value);
    }

    record Pair(Object first, int second) {}

    static int recordPattern(int n) {
        Object pair = new Pair(NewStatements.object(n), n);
        if (new Pair(pair, at("record-pattern", n)) instanceof Pair(Pair(String s, int a), int b) // @record-pattern
            && a < 9) {
            return 1;
        }
        return 0;
    }

    static String patternSwitch(int n) {
        return switch (NewStatements.object(at("pattern-switch", n))) { // @pattern-switch
            case String s when s.length() > 1
                && n < 6 -> "long";
            case String s -> "short";
            case Integer i when i > 3 -> "big";
            default -> "other";
        };
    }
}
