// SPDX-License-Identifier: Apache-2.0
package constructs;

import static expect.Expect.fails;
import static expect.Expect.ignore;
import static expect.Expect.is;
import static expect.Expect.makes;
import static expect.Expect.stop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Boxes, overloads and arrays in static methods. */
public final class Main {
    private Main() {}

    static void boxing(Object one, Integer cached, Integer large, List<Integer> list, Void nothing) {
        is("Integer.valueOf(127) == Integer.valueOf(127)",
                Integer.valueOf(127) == Integer.valueOf(127));
        is("(Integer) 127 == (Integer) 127", (Integer) 127 == (Integer) 127);
        is("(Integer) 128 == (Integer) 128", (Integer) 128 == (Integer) 128);
        is("(Integer) 128 == 128", (Integer) 128 == 128);
        is("(Long) 127L == (Long) 127L", (Long) 127L == (Long) 127L);
        is("(Character) 'a' == (Character) 'a'", (Character) 'a' == (Character) 'a');
        is("(Boolean) true == (Boolean) true", (Boolean) true == (Boolean) true);
        is("(Object) 1 == (Object) 1", (Object) 1 == (Object) 1);
        is("(Object) 1.0 == (Object) 1.0", (Object) 1.0 == (Object) 1.0);
        is("(Object) 1 == (Object) 1L", (Object) 1 == (Object) 1L);
        is("cached == 100", cached == 100);
        is("large == 1000", large == 1000);
        is("cached == (Integer) 100", cached == (Integer) 100);
        is("large == (Integer) 1000", large == (Integer) 1000);
        is("large.equals(1000)", large.equals(1000));
        is("large <= 1000 && large >= 1000", large <= 1000 && large >= 1000);
        is("cached + large", cached + large);
        is("cached.equals(100L)", cached.equals(100L));
        is("one.equals(1)", one.equals(1));
        is("(int) one + 1", (int) one + 1);
        is("(Integer) one + 1.5f", (Integer) one + 1.5f);
        is("(long) (int) one", (long) (int) one);
        is("one instanceof Integer number ? number + 1 : 0",
                one instanceof Integer number ? number + 1 : 0);
        is("nothing == null", nothing == null);
        is("list.get(0) + list.get(1)", list.get(0) + list.get(1));
        is("list.get(0) == 5", list.get(0) == 5);
        is("list.indexOf(6)", list.indexOf(6));
        is("list.contains((Object) 5)", list.contains((Object) 5));
        is("list.get(list.get(0) - 5)", list.get(list.get(0) - 5));
        makes("new Integer[] {1, null, 'c' - 0}", new Integer[] {1, null, 'c' - 0});
        is("Pick.one(1)", Pick.one(1));
        is("Pick.one((short) 1)", Pick.one((short) 1));
        is("Pick.one('a')", Pick.one('a'));
        is("Pick.one(cached)", Pick.one(cached));
        is("Pick.one(1L)", Pick.one(1L));
        is("Pick.one(1f)", Pick.one(1f));
        is("Pick.one((Object) 1)", Pick.one((Object) 1));
        is("Pick.one((Integer) null)", Pick.one((Integer) null));
        is("Pick.two((byte) 1)", Pick.two((byte) 1));
        is("Pick.two('a')", Pick.two('a'));
        is("Pick.two(1)", Pick.two(1));
        is("Pick.two(cached)", Pick.two(cached));
        is("Pick.three('a')", Pick.three('a'));
        is("Pick.three(1)", Pick.three(1));
        is("Pick.rest()", Pick.rest());
        is("Pick.rest(1)", Pick.rest(1));
        is("Pick.rest((Object) null)", Pick.rest((Object) null));
        is("Pick.rest((Object[]) null)", Pick.rest((Object[]) null));
        is("Pick.rest(new Object[] {1, 2})", Pick.rest(new Object[] {1, 2}));
        is("Pick.rest(new int[] {1, 2})", Pick.rest(new int[] {1, 2}));
        is("Pick.rest(new String[] {\"a\", \"b\", \"c\"})",
                Pick.rest(new String[] {"a", "b", "c"}));
        is("Pick.rest(1, new Object[] {1, 2})", Pick.rest(1, new Object[] {1, 2}));
        is("Pick.rest((Object) new String[] {\"a\", \"b\"})",
                Pick.rest((Object) new String[] {"a", "b"}));
        is("Pick.rest(null, null)", Pick.rest(null, null));
        is("Pick.rest(1, 'c', \"x\", null)", Pick.rest(1, 'c', "x", null));
        is("Pick.ints()", Pick.ints());
        is("Pick.ints(1)", Pick.ints(1));
        is("Pick.ints('a', (byte) 1)", Pick.ints('a', (byte) 1));
        is("Pick.ints(cached, 2)", Pick.ints(cached, 2));
        is("Pick.ints(new int[] {4, 5, 6})", Pick.ints(new int[] {4, 5, 6}));
        is("Pick.mixed(\"a\")", Pick.mixed("a"));
        is("Pick.mixed(\"a\", 1, 2)", Pick.mixed("a", 1, 2));
        is("Pick.mixed(\"a\", new long[] {1})", Pick.mixed("a", new long[] {1}));
        is("Arrays.asList(1, 2.0).size()", Arrays.asList(1, 2.0).size());
        is("Arrays.asList(new Integer[] {1, 2, 3}).get(2) + 1",
                Arrays.asList(new Integer[] {1, 2, 3}).get(2) + 1);
        is("Arrays.asList(new int[] {1, 2, 3}).size()", Arrays.asList(new int[] {1, 2, 3}).size());
        is("List.of(1, 2, 3).get(1) * 2", List.of(1, 2, 3).get(1) * 2);
        is("Math.max(cached, 2L)", Math.max(cached, 2L));
        fails("(Integer) one + (Integer) null", () -> ignore((Integer) one + (Integer) null));
        fails("(long) one", () -> ignore((long) one));
        fails("(int) (Integer) null", () -> ignore((int) (Integer) null));
        stop(); // @boxing
    }

    /** Which one javac picks. */
    static final class Pick {
        static String one(long number) { return "long"; }

        static String one(Integer number) { return "Integer"; }

        static String one(Object any) { return "Object"; }

        static String one(int... numbers) { return "int..."; }

        static String two(short number) { return "short"; }

        static String two(int number) { return "int"; }

        static String two(double number) { return "double"; }

        static String three(Character letter) { return "Character"; }

        static String three(Object any) { return "Object"; }

        static String three(char... letters) { return "char..."; }

        static String rest(Object... all) { return all == null ? "null" : "" + all.length; }

        static int ints(int... all) { return Arrays.stream(all).sum(); }

        static String mixed(String first, long... rest) { return first + rest.length; }
    }

    static void arrays(int[] numbers, int[][] grid, Object[] any, List<String>[] lists, int... rest) {
        makes("new int[][][] {{{1}, {2, 3}}, {}, {{}}}", new int[][][] {{{1}, {2, 3}}, {}, {{}}});
        makes("new int[2][3][1]", new int[2][3][1]);
        makes("new int[2][][]", new int[2][][]);
        makes("new long[2][0][5]", new long[2][0][5]);
        makes("new Object[][] {{1, \"a\"}, null}", new Object[][] {{1, "a"}, null});
        makes("new int[][] {{1, 2}, new int[3], numbers}",
                new int[][] {{1, 2}, new int[3], numbers});
        makes("new char[] {'a', 98, (char) 99}", new char[] {'a', 98, (char) 99});
        makes("new double[] {1, 2L, 'c', 1f}", new double[] {1, 2L, 'c', 1f});
        makes("new short[] {1, (short) 70000}", new short[] {1, (short) 70000});
        makes("new boolean[] {true, !true, numbers.length > 1}",
                new boolean[] {true, !true, numbers.length > 1});
        makes("new String[][] {{\"a\"}, {}}", new String[][] {{"a"}, {}});
        makes("new int[] {}", new int[] {});
        makes("new int[numbers.length][numbers[0]]", new int[numbers.length][numbers[0]]);
        is("new long[][] {{1, 'a'}}[0][1]", new long[][] {{1, 'a'}}[0][1]);
        is("new String[][] {{\"a\"}, {}}[1].length", new String[][] {{"a"}, {}}[1].length);
        is("new ArrayList[2].length", new ArrayList[2].length);
        is("new List<?>[] {lists[0]}[0].size()", new List<?>[] {lists[0]}[0].size());
        is("new int[] {1, 2, 3}.length", new int[] {1, 2, 3}.length);
        is("new int[]{7}[0]++", new int[]{7}[0]++);
        is("numbers[numbers[0]] + numbers['\\1']", numbers[numbers[0]] + numbers['\1']);
        is("numbers[(byte) 1]", numbers[(byte) 1]);
        is("grid[1].clone()[0]", grid[1].clone()[0]);
        is("grid.clone() == grid", grid.clone() == grid);
        is("grid.clone()[0] == grid[0]", grid.clone()[0] == grid[0]);
        is("grid[0].length + grid.length", grid[0].length + grid.length);
        is("grid instanceof Object[]", grid instanceof Object[]);
        is("(Object) grid instanceof int[][]", (Object) grid instanceof int[][]);
        is("(Object) numbers instanceof long[]", (Object) numbers instanceof long[]);
        is("any instanceof Integer[] boxes ? boxes[0] + 1 : -1",
                any instanceof Integer[] boxes ? boxes[0] + 1 : -1);
        is("((Object[]) grid)[0] == grid[0]", ((Object[]) grid)[0] == grid[0]);
        is("((int[]) (Object) numbers)[0]", ((int[]) (Object) numbers)[0]);
        is("any.getClass()", any.getClass());
        is("any.getClass().getComponentType() == Integer.class",
                any.getClass().getComponentType() == Integer.class);
        is("lists[0].get(0).length()", lists[0].get(0).length());
        is("rest.length", rest.length);
        is("rest[0] + rest[rest.length - 1]", rest[0] + rest[rest.length - 1]);
        is("Arrays.equals(rest, new int[] {8, 9})", Arrays.equals(rest, new int[] {8, 9}));
        is("Arrays.hashCode(numbers)", Arrays.hashCode(numbers));
        is("int[].class", int[].class);
        is("int[].class == numbers.getClass()", int[].class == numbers.getClass());
        is("byte.class", byte.class);
        is("boolean[][].class.getName()", boolean[][].class.getName());
        is("void.class", void.class);
        is("String[][].class", String[][].class);
        is("java.util.Map.Entry[].class", java.util.Map.Entry[].class);
        is("List[].class.getComponentType()", List[].class.getComponentType());
        is("int.class == Integer.TYPE", int.class == Integer.TYPE);
        is("Pick.class.getSimpleName()", Pick.class.getSimpleName());
        fails("new int[3][-1]", () -> ignore(new int[3][-1]));
        fails("grid[0][5]", () -> ignore(grid[0][5]));
        fails("any[0] = \"x\"", () -> any[0] = "x");
        fails("(long[]) (Object) numbers", () -> ignore((long[]) (Object) numbers));
        fails("new int[] {1}[1]", () -> ignore(new int[] {1}[1]));
        stop(); // @arrays
    }

    @SuppressWarnings("unchecked")
    public static void main(String[] args) {
        Primitives.numbers(17, 5L, (byte) 12, (short) 300, 'e', 2.5f, 0.75, true);
        Primitives.strings("text", "any", null, new char[] {'x', 'y'}, 3);
        Changes.changes();
        boxing(1, 100, 1000, new ArrayList<>(List.of(5, 6)), null);
        arrays(new int[] {1, 2, 3}, new int[][] {{1, 2}, {3}}, new Integer[] {1, 2},
                new List[] {List.of("one")}, 8, 9);
        Places.visit();
    }
}
