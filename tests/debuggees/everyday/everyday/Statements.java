// SPDX-License-Identifier: Apache-2.0
package everyday;

import static everyday.Places.*;
import static expect.Expect.*;

import everyday.Places.Level;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Loops, jumps, switches, exceptions and local classes. */
final class Statements {
    private Statements() {}

    static void statements(int n, String word, List<String> words, Map<String, Integer> ages, int[][] grid,
            String[] names, Level level, Object any, List<Map.Entry<String, List<Integer>>> deep) {
        runs("int", () -> { int sum = 0; for (int[] row : grid) for (int cell : row) sum += cell; return sum; });
        runs("int", () -> { int sum = 0; for (var entry : ages.entrySet()) sum += entry.getValue() * entry.getKey().length(); return sum; });
        runs("new", () -> { String all = ""; for (String each : words) all += each.charAt(0); return all; });
        runs("int", () -> { int sum = 0; for (var entry : deep) for (int each : entry.getValue()) sum += each; return sum; });
        runs("long", () -> { long sum = 0; for (long each : new int[] {1, 2}) sum += each; return sum; });
        runs("int", () -> { int sum = 0; for (Integer each : new int[] {1, 2}) sum += each; return sum; });
        runs("int", () -> { int found = -1; outer: for (int i = 0; i < grid.length; i++) { for (int j = 0; j < grid[i].length; j++) { if (grid[i][j] == 3) { found = i * 10 + j; break outer; } } } return found; });
        runs("int", () -> { int skipped = 0; next: for (String name : names) { for (char c : name.toCharArray()) { if (c == 'b') { skipped++; continue next; } } } return skipped; });
        runs("int", () -> { int i = 0; while (true) { if (++i > 5) break; if (i % 2 == 0) continue; } return i; });
        runs("int", () -> { int i = 10; do { i -= 3; } while (i > 0); return i; });
        runs("int", () -> { int i, j; for (i = 0, j = 10; i < j; i++, j--) { } return i * 100 + j; });
        runs("int", () -> { switch (level) { case LOW: return 1; case HIGH: return 2; } return 3; });
        runs("int", () -> { switch (word) { case "one": case "two": return 1; default: return 2; } });
        runs("int", () -> { final int LIMIT = 3; switch (n) { case LIMIT: return 1; case Calls.LIMIT: return 2; case Calls.SMALL + 1: return 3; default: return 4; } });
        runs("int", () -> { char c = word.charAt(0); return switch (c) { case 'a', 'b' -> 1; case 't' -> 2; case Calls.LETTER -> 3; default -> 4; }; });
        runs("new", () -> { return switch (level) { case LOW -> "low"; case HIGH -> { String s = "hi"; yield s + "gh"; } }; });
        runs("int", () -> { Integer boxed = n; return switch (boxed) { case 4 -> 40; default -> 0; }; });
        runs("new", () -> { List<Integer> made = new ArrayList<>(); for (int i = 0; i < 3; i++) made.add(i * i); return made; });
        runs("new", () -> { Map<String, Integer> counts = new TreeMap<>(); for (String w : words) counts.put(w, counts.getOrDefault(w, 0) + 1); return counts; });
        runs("new", () -> { StringBuilder b = new StringBuilder(); for (Iterator<String> it = words.iterator(); it.hasNext(); ) { b.append(it.next()).append(';'); } return b.toString(); });
        runs("new", () -> { int[] copy = grid[0].clone(); copy[0] = 99; return copy; });
        runs("int", () -> { if (any instanceof String s && !s.isEmpty()) { return s.length(); } return -1; });
        runs("int", () -> { if (!(any instanceof String s)) return -1; return s.length() * 2; });
        runs("int", () -> { Object o = any; if (o == null) return 0; else if (o instanceof Integer) return 1; else return 2; });
        runs("int", () -> { int a = n; int b = a; { int c = a + b; a = c; } return a; });
        runs("int", () -> { var list = new ArrayList<Map<String, int[]>>(); list.add(Map.of("k", new int[] {7})); return list.get(0).get("k")[0]; });
        runs("new", () -> { Object[] mixed = {1, "a", null, 'c'}; return mixed; });
        runs("new", () -> { String[][] table = new String[2][]; table[0] = new String[] {"a"}; return table; });
        runs("int", () -> { int x = 0; x += n > 3 ? n + 1 > 100 ? 1 : 2 : 3; return x; });
        runs("int", () -> { try { return Integer.parseInt(word); } catch (NumberFormatException e) { return e.getMessage().length(); } finally { count = 1; } });
        runs("int", () -> { int x = 0; try { x = 1; throw new IllegalStateException("s"); } catch (IllegalArgumentException | IllegalStateException e) { x += 10; } finally { x += 100; } return x; });
        runs("throws", () -> { try { throw new Exception("one"); } finally { count = 1; } });
        runs("int", () -> { record Pair(int a, String b) { int sum() { return a + b.length(); } } return new Pair(n, word).sum(); });
        runs("int", () -> { enum Sort { UP, DOWN } return Sort.valueOf("DOWN").ordinal(); });
        runs("int", () -> { class Counter { int at; int next() { return ++at; } } var c = new Counter(); c.next(); return c.next() + n; });
        runs("int", () -> { synchronized (words) { return words.size(); } });
        runs("int", () -> { assert n > 0 : "positive"; return n; });
        runs("new", () -> { try (java.io.StringReader in = new java.io.StringReader(word)) { return (char) in.read() + "!"; } });
        runs("throws", () -> { throw new java.io.IOException(word); });
        runs("throws", () -> { Object o = word; return (Integer) o; });
        runs("throws", () -> { int[] none = null; return none.length; });
        runs("throws", () -> { Level none = null; switch (none) { case LOW: return 1; default: return 2; } });
        stop(); // @statements
    }

    static void visit() {
        statements(4, "two", new ArrayList<>(List.of("x", "yy", "x")), new TreeMap<>(Map.of("ann", 3, "bo", 4)),
                new int[][] {{1, 2}, {3}}, new String[] {"abc", "def", "b"}, Level.HIGH, "any", List.of(Map.entry("k", List.of(1, 2))));
    }
}
