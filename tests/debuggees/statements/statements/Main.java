// SPDX-License-Identifier: Apache-2.0
package statements;

import static expect.Expect.is;
import static expect.Expect.runs;
import static expect.Expect.stop;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Statements, switch and patterns, one method for each context. */
public final class Main {
    record Point(int x, int y) {}

    record Line(Point from, Point to) {}

    record Box<T>(T content) {}

    sealed interface Shape permits Circle, Square {}

    record Circle(double radius) implements Shape {}

    record Square(int side) implements Shape {}

    enum Color {
        RED,
        GREEN,
        BLUE
    }

    private int total = 3;

    private Main() {}

    private int doubled(int number) {
        return number * 2;
    }

    private void flow(int n, String[] words, List<String> names, List<Integer> numbers, Map<String, Integer> ages) {
        runs("int", "int s = 0; for (int i = 1; i <= n; i++) { s += i; } return s;", () -> {
            int s = 0;
            for (int i = 1; i <= n; i++) { s += i; }
            return s;
        });
        runs("int", "int s = 0, t = 1; while (s < n) { t *= 2; s++; } return t;", () -> {
            int s = 0, t = 1;
            while (s < n) { t *= 2; s++; }
            return t;
        });
        runs("int", "int s = 0; do s += 3; while (s < n); return s;", () -> {
            int s = 0;
            do s += 3; while (s < n);
            return s;
        });
        runs("new", "String all = \"\"; for (String word : words) all += word; return all;", () -> {
            String all = "";
            for (String word : words) all += word;
            return all;
        });
        runs("new", "var all = \"\"; for (var name : names) { if (name.isEmpty()) continue; all += name.charAt(0); } return all;", () -> {
            var all = "";
            for (var name : names) { if (name.isEmpty()) continue; all += name.charAt(0); }
            return all;
        });
        runs("int", "int sum = 0; for (int each : numbers) sum += each; return sum;", () -> {
            int sum = 0;
            for (int each : numbers) sum += each;
            return sum;
        });
        runs("int", "int sum = 0; for (Map.Entry<String, Integer> e : ages.entrySet()) { sum += e.getValue(); } return sum;", () -> {
            int sum = 0;
            for (Map.Entry<String, Integer> e : ages.entrySet()) { sum += e.getValue(); }
            return sum;
        });
        runs("int", "outer: for (int i = 0; ; i++) { for (int j = 0; j < 5; j++) { if (j == 3) continue outer; if (i == 4) break outer; total += i * j; } } int was = total; total = 3; return was;", () -> {
            outer:
            for (int i = 0; ; i++) { for (int j = 0; j < 5; j++) { if (j == 3) continue outer; if (i == 4) break outer; total += i * j; } }
            int was = total;
            total = 3;
            return was;
        });
        runs("int", "if (n > 100) return 1; else if (n == 5) { return doubled(total); } return 2;", () -> {
            if (n > 100) return 1;
            else if (n == 5) { return doubled(total); }
            return 2;
        });
        runs("int", "int[] a = {3, 1, 2}; for (int i = 0; i < a.length; i++) for (int j = i + 1; j < a.length; j++) if (a[j] < a[i]) { int t = a[i]; a[i] = a[j]; a[j] = t; } return a[0] * 100 + a[1] * 10 + a[2];", () -> {
            int[] a = {3, 1, 2};
            for (int i = 0; i < a.length; i++) for (int j = i + 1; j < a.length; j++) if (a[j] < a[i]) { int t = a[i]; a[i] = a[j]; a[j] = t; }
            return a[0] * 100 + a[1] * 10 + a[2];
        });
        runs("long", "long f = 1; for (int i = 2; i < 21; ++i) f *= i; return f;", () -> {
            long f = 1;
            for (int i = 2; i < 21; ++i) f *= i;
            return f;
        });
        runs("new", "List<String> made = new java.util.ArrayList<>(); for (String w : words) { made.add(w.toUpperCase()); } return made;", () -> {
            List<String> made = new java.util.ArrayList<>();
            for (String w : words) { made.add(w.toUpperCase()); }
            return made;
        });
        runs("int", "{ int hidden = 4; } int hidden = 5; return hidden;", () -> {
            { int hidden = 4; }
            int hidden = 5;
            return hidden;
        });
        runs("throws", "throw new IllegalStateException(\"told\");", () -> {
            throw new IllegalStateException("told");
        });
        runs("throws", "Object o = null; if (n > 3) { throw new java.io.IOException(); } return o;", () -> {
            Object o = null;
            if (n > 3) { throw new java.io.IOException(); }
            return o;
        });
        runs("int", "int i = 0; label: { i++; if (i == 1) break label; i = 100; } return i;", () -> {
            int i = 0;
            label: { i++; if (i == 1) break label; i = 100; }
            return i;
        });
        runs("int", "int a[] = new int[n], b = 7; a[2] = b; ; return a[2] + a.length;", () -> {
            int a[] = new int[n], b = 7;
            a[2] = b;
            ;
            return a[2] + a.length;
        });
        stop(); // @flow
    }

    private static void switches(int n, Integer box, String word, Color color, char letter, Object object) {
        is("switch (n) { case 1, 2 -> 10; case 5 -> 20; default -> 30; }", switch (n) { case 1, 2 -> 10; case 5 -> 20; default -> 30; });
        is("switch (box) { case 1 -> 'a'; case 7 -> 'b'; default -> 'c'; }", switch (box) { case 1 -> 'a'; case 7 -> 'b'; default -> 'c'; });
        is("switch (word) { case \"one\" -> 1L; case \"two\" -> 2; default -> 3; }", switch (word) { case "one" -> 1L; case "two" -> 2; default -> 3; });
        is("switch (color) { case RED -> 1; case GREEN -> 2; case BLUE -> 3; }", switch (color) { case RED -> 1; case GREEN -> 2; case BLUE -> 3; });
        is("switch (letter) { case 'x', 'y': yield 1.5; case 'z': yield 2; default: yield 3; }", switch (letter) { case 'x', 'y': yield 1.5; case 'z': yield 2; default: yield 3; });
        is("switch (n) { case 5 -> { int t = n * 2; yield t + 1; } default -> throw new IllegalStateException(); }", switch (n) { case 5 -> { int t = n * 2; yield t + 1; } default -> throw new IllegalStateException(); });
        is("1 + switch (n) { case 5 -> 2; default -> 3; } * 4", 1 + switch (n) { case 5 -> 2; default -> 3; } * 4);
        is("switch (n) { case 5 -> \"five\"; default -> n; }", switch (n) { case 5 -> "five"; default -> n; });
        is("switch (n) { case 5 -> null; default -> \"x\"; }", switch (n) { case 5 -> null; default -> "x"; });
        is("switch (n) { case 5 -> true; default -> Boolean.FALSE; }", (boolean) switch (n) { case 5 -> true; default -> Boolean.FALSE; });
        is("switch (object) { case Integer i when i > 100 -> \"big\"; case Integer i -> \"int\"; case String s -> s; default -> \"?\"; }", switch (object) { case Integer i when i > 100 -> "big"; case Integer i -> "int"; case String s -> s; default -> "?"; });
        is("switch (object) { case null -> 0; case Point(int x, int y) when x < y -> x; case Point p -> p.y(); default -> -1; }", switch (object) { case null -> 0; case Point(int x, int y) when x < y -> x; case Point p -> p.y(); default -> -1; });
        runs("int", "int r = 0; switch (n) { case 4: r += 1; case 5: r += 10; case 6: r += 100; break; default: r += 1000; } return r;", () -> {
            int r = 0;
            switch (n) { case 4: r += 1; case 5: r += 10; case 6: r += 100; break; default: r += 1000; }
            return r;
        });
        runs("int", "int r = 0; for (int i = 0; i < 6; i++) { switch (i) { case 1 -> { continue; } case 4 -> r += 50; default -> r++; } } return r;", () -> {
            int r = 0;
            for (int i = 0; i < 6; i++) { switch (i) { case 1 -> { continue; } case 4 -> r += 50; default -> r++; } }
            return r;
        });
        runs("int", "switch (word) { case \"three\": return 3; default: return 4; }", () -> {
            switch (word) { case "three": return 3; default: return 4; }
        });
        runs("throws", "String none = null; return switch (none) { case \"a\" -> 1; default -> 2; };", () -> {
            String none = null;
            return switch (none) { case "a" -> 1; default -> 2; };
        });
        runs("int", "String none = null; return switch (none) { case null, default -> 2; case \"a\" -> 1; };", () -> {
            String none = null;
            return switch (none) { case null -> 2; case "a" -> 1; default -> 2; };
        });
        runs("int", "Integer none = null; return switch (none) { case null -> 9; case 7 -> 1; default -> 2; };", () -> {
            Integer none = null;
            return switch (none) { case null -> 9; case 7 -> 1; default -> 2; };
        });
        runs("int", "int r = 0; switch (color) { case RED -> r = 1; case BLUE -> r = 2; } return r;", () -> {
            int r = 0;
            switch (color) { case RED -> r = 1; case BLUE -> r = 2; default -> { } }
            return r;
        });
        stop(); // @switches
    }

    private static <T extends Shape> void patterns(Object object, Object text, Object line, Object nothing, T shape, Box<String> box, List<?> list) {
        is("object instanceof Point p && p.x() == 1", object instanceof Point p && p.x() == 1);
        is("object instanceof Point p ? p.y() : -1", object instanceof Point p ? p.y() : -1);
        is("!(object instanceof Point p) || p.x() > 5", !(object instanceof Point p) || p.x() > 5);
        is("text instanceof String s && s.length() == 4 && s.charAt(0) == 't'", text instanceof String s && s.length() == 4 && s.charAt(0) == 't');
        is("text instanceof final CharSequence s ? s.length() : 0", text instanceof final CharSequence s ? s.length() : 0);
        is("nothing instanceof String s", nothing instanceof String s);
        is("object instanceof Point(int x, int y) ? x * 10 + y : 0", object instanceof Point(int x, int y) ? x * 10 + y : 0);
        is("line instanceof Line(Point(var a, var b), Point to) && a + b < to.x()", line instanceof Line(Point(var a, var b), Point to) && a + b < to.x());
        is("line instanceof Line(var from, Point(int x, int y)) ? from.x() + x + y : 0", line instanceof Line(var from, Point(int x, int y)) ? from.x() + x + y : 0);
        is("shape instanceof Circle(double r) ? r * 2 : 0", shape instanceof Circle(double r) ? r * 2 : 0);
        is("box instanceof Box<String>(var content) ? content : \"no\"", box instanceof Box<String>(var content) ? content : "no");
        is("new Box<Object>(null) instanceof Box<Object>(var content)", new Box<Object>(null) instanceof Box<Object>(var content));
        is("new Box<Object>(null) instanceof Box<Object>(String content)", new Box<Object>(null) instanceof Box<Object>(String content));
        is("switch (shape) { case Circle c -> c.radius(); case Square s -> s.side(); default -> 0; }", switch ((Shape) shape) { case Circle c -> c.radius(); case Square s -> s.side(); });
        is("list.get(0) instanceof Integer i && i + 1 == 2", list.get(0) instanceof Integer i && i + 1 == 2);
        runs("int", "if (!(object instanceof Point p)) { return -1; } return p.x() + p.y();", () -> {
            if (!(object instanceof Point p)) { return -1; }
            return p.x() + p.y();
        });
        runs("int", "if (object instanceof Point p) { return p.x(); } else { return 0; }", () -> {
            if (object instanceof Point p) { return p.x(); } else { return 0; }
        });
        runs("int", "Object walk = line; int depth = 0; while (walk instanceof Line l) { walk = l.from(); depth++; } return depth;", () -> {
            Object walk = line;
            int depth = 0;
            while (walk instanceof Line l) { walk = l.from(); depth++; }
            return depth;
        });
        stop(); // @patterns
    }

    public static void main(String[] args) {
        Main main = new Main();
        List<String> names = new ArrayList<>(List.of("ann", "", "bob"));
        main.flow(5, new String[] {"a", "b", "c"}, names, List.of(1, 2, 3), Map.of("x", 4, "y", 5));
        switches(5, 7, "three", Color.GREEN, 'z', new Point(3, 4));
        patterns(new Point(1, 2), "text", new Line(new Point(1, 2), new Point(9, 4)), null, new Circle(1.5), new Box<>("in"), List.of(1));
    }
}
