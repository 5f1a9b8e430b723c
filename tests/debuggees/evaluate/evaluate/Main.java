// SPDX-License-Identifier: Apache-2.0
package evaluate;

import static expect.Expect.fails;
import static expect.Expect.is;
import static expect.Expect.makes;
import static expect.Expect.stop;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The contexts, one method each: state, the expressions as javac sees them, the state again. */
public final class Main {
    static int count = 7;
    static String name = "main";
    static final int CONSTANT = 12;
    static final String TEXT = "con" + "stant";
    static long[] longs = {1L, 2L, 3L};
    static Color color = Color.GREEN;

    enum Color {
        RED,
        GREEN {
            @Override
            int weight() {
                is("ordinal()", ordinal());
                is("name()", name());
                is("this == GREEN", this == GREEN);
                is("super.weight()", super.weight());
                is("RED.ordinal() + BLUE.ordinal()", RED.ordinal() + BLUE.ordinal());
                is("Color.values().length", Color.values().length);
                is("valueOf(\"RED\")", valueOf("RED"));
                stop(); // @enum-constant
                return 2;
            }
        },
        BLUE;

        int weight() {
            return 1;
        }
    }

    private Main() {}

    static int twice(int number) {
        return number * 2;
    }

    static void ignore(Object value) {}

    static void arrays(int[] numbers, String[] words, Object[] mixed, int[][] grid) {
        is("numbers[0]", numbers[0]);
        is("numbers[numbers.length - 1]", numbers[numbers.length - 1]);
        is("numbers['\\1']", numbers['\1']);
        is("words[1].length()", words[1].length());
        is("words", words);
        is("mixed[0]", mixed[0]);
        is("grid[1][2]", grid[1][2]);
        is("grid[1].length", grid[1].length);
        is("grid[numbers[0] - 1][0]", grid[numbers[0] - 1][0]);
        is("longs[2]", longs[2]);
        is("numbers.clone()[1]", numbers.clone()[1]);
        is("numbers.getClass() == int[].class", numbers.getClass() == int[].class);
        is("words instanceof Object[]", words instanceof Object[]);
        is("((Object) words) instanceof String[]", ((Object) words) instanceof String[]);
        is("((Object) numbers) instanceof Object[]", ((Object) numbers) instanceof Object[]);
        is("((String[]) (Object) words)[0]", ((String[]) (Object) words)[0]);
        makes("new int[] {1, 2, 3}", new int[] {1, 2, 3});
        makes("new long[] {1, 'a', (byte) 2}", new long[] {1, 'a', (byte) 2});
        makes("new int[2][3]", new int[2][3]);
        makes("new String[2][]", new String[2][]);
        makes("new int[][] {{1}, {2, 3}, {}}", new int[][] {{1}, {2, 3}, {}});
        makes("new Object[] {1, \"a\", 'c', null}", new Object[] {1, "a", 'c', null});
        makes("new byte[] {1, 2}", new byte[] {1, 2});
        is("new int[] {4, 5, 6}[1]", new int[] {4, 5, 6}[1]);
        is("new int[0].length", new int[0].length);
        fails("numbers[3]", () -> ignore(numbers[3]));
        fails("numbers[-1]", () -> ignore(numbers[-1]));
        fails("new int[numbers[0] - 5]", () -> ignore(new int[numbers[0] - 5]));
        stop(); // @arrays
    }

    static void calls(Object object, String text, List<String> list, Map<String, Integer> map) {
        Overloads on = new Overloads();
        byte b = 1;
        char c = 'c';
        Integer box = 3;
        is("twice(21)", twice(21));
        is("twice(twice(3)) + count", twice(twice(3)) + count);
        is("Main.twice('a')", Main.twice('a'));
        is("evaluate.Main.twice(1)", evaluate.Main.twice(1));
        is("Math.max(1, 2L)", Math.max(1, 2L));
        is("Math.max(1, 2)", Math.max(1, 2));
        is("Math.abs(-1.5f)", Math.abs(-1.5f));
        is("Math.PI > 3", Math.PI > 3);
        is("java.lang.Math.floorMod(-7, 3)", java.lang.Math.floorMod(-7, 3));
        is("Integer.MAX_VALUE", Integer.MAX_VALUE);
        is("Long.parseLong(\"12\")", Long.parseLong("12"));
        is("Integer.toHexString(255)", Integer.toHexString(255));
        is("String.valueOf(c)", String.valueOf(c));
        is("String.valueOf(1.0f)", String.valueOf(1.0f));
        is("String.valueOf((Object) null)", String.valueOf((Object) null));
        is("String.join(\"-\", list)", String.join("-", list));
        is("String.join(\"-\", \"a\", \"b\", \"c\")", String.join("-", "a", "b", "c"));
        is("String.format(\"%d:%s\", 1, text)", String.format("%d:%s", 1, text));
        is("String.format(\"none\")", String.format("none"));
        is("text.length()", text.length());
        is("text.charAt(0)", text.charAt(0));
        is("text.substring(1).toUpperCase()", text.substring(1).toUpperCase());
        is("text.indexOf('x')", text.indexOf('x'));
        is("text.indexOf(\"x\")", text.indexOf("x"));
        is("text.equals(\"text\")", text.equals("text"));
        is("text == \"text\"", text == "text");
        is("text == new String(\"text\")", text == new String("text"));
        is("text == \"te\" + \"xt\"", text == "te" + "xt");
        is("text != \"other\"", text != "other");
        is("text.endsWith(\"xt\") && text.contains(\"ex\")",
                text.endsWith("xt") && text.contains("ex"));
        is("text.equals(null) || text.equals(object)", text.equals(null) || text.equals(object));
        is("\"\u20ac\ud83d\ude00!\".length()", "\u20ac\ud83d\ude00!".length());
        is("\"\u20ac\ud83d\ude00!\".charAt(2)", "\u20ac\ud83d\ude00!".charAt(2));
        is("(\"\" + text).getClass()", ("" + text).getClass());
        is("box.doubleValue() + box.byteValue()", box.doubleValue() + box.byteValue());
        is("Boolean.TRUE.booleanValue()", Boolean.TRUE.booleanValue());
        is("\"ab\".concat(\"cd\").hashCode()", "ab".concat("cd").hashCode());
        is("text.isEmpty() || text.startsWith(\"te\")", text.isEmpty() || text.startsWith("te"));
        is("\"\" + list + map.size()", "" + list + map.size());
        is("text + object", text + object);
        is("list.get(0)", list.get(0));
        is("list.get(1).length()", list.get(1).length());
        is("list.contains(\"one\")", list.contains("one"));
        is("list.size() > 1 && list.get(0).charAt(0) == 'o'",
                list.size() > 1 && list.get(0).charAt(0) == 'o');
        is("map.get(\"a\") + 1", map.get("a") + 1);
        is("map.get(\"nothing\")", map.get("nothing"));
        is("map.getOrDefault(\"b\", 9)", map.getOrDefault("b", 9));
        is("map.containsKey(text)", map.containsKey(text));
        is("list.iterator().next().length()", list.iterator().next().length());
        is("map.entrySet().iterator().next().getValue() + 1",
                map.entrySet().iterator().next().getValue() + 1);
        is("list.getClass()", list.getClass());
        is("object.getClass().getName()", object.getClass().getName());
        is("list.toArray(new String[0]).length", list.toArray(new String[0]).length);
        is("java.util.Collections.max(list)", java.util.Collections.max(list));
        is("java.util.Arrays.asList(1, 2, 3).get(2) + 1",
                java.util.Arrays.asList(1, 2, 3).get(2) + 1);
        is("List.of(text).get(0).length()", List.of(text).get(0).length());
        makes("new ArrayList<>(list)", new ArrayList<>(list));
        makes("new ArrayList<String>(list).subList(0, 1)",
                new ArrayList<String>(list).subList(0, 1));
        makes("new HashMap<String, Integer>()", new HashMap<String, Integer>());
        makes("new StringBuilder(\"x\").append(1).append('c').reverse()",
                new StringBuilder("x").append(1).append('c').reverse());
        is("new StringBuilder(\"abc\").length()", new StringBuilder("abc").length());
        is("new java.math.BigDecimal(\"1.10\").toString()",
                new java.math.BigDecimal("1.10").toString());
        is("on.of(1)", on.of(1));
        is("on.of(b)", on.of(b));
        is("on.of(c)", on.of(c));
        is("on.of(1L)", on.of(1L));
        is("on.of(1f)", on.of(1f));
        is("on.of(box)", on.of(box));
        is("on.of(text)", on.of(text));
        is("on.of(object)", on.of(object));
        is("on.of((Object) text)", on.of((Object) text));
        is("on.of((CharSequence) text)", on.of((CharSequence) text));
        is("on.of(1, 2)", on.of(1, 2));
        is("on.of(1, 2, 3)", on.of(1, 2, 3));
        is("on.of()", on.of());
        is("on.widened(1)", on.widened(1));
        is("on.boxed(1)", on.boxed(1));
        is("on.boxed('c')", on.boxed('c'));
        is("on.array(null, null)", on.array(null, null));
        is("on.strings()", on.strings());
        is("on.strings(text)", on.strings(text));
        is("on.strings(text, text)", on.strings(text, text));
        is("on.strings(new String[] {text, text, text})",
                on.strings(new String[] {text, text, text}));
        is("on.objects(1, \"a\", null)", on.objects(1, "a", null));
        is("on.number(1)", on.number(1));
        is("on.list(list)", on.list(list));
        is("on.list(new ArrayList<Object>())", on.list(new ArrayList<Object>()));
        is("on.generic(text).length()", on.generic(text).length());
        is("on.generic(5) + 1", on.generic(5) + 1);
        is("on.<Object>generic(text) == text", on.<Object>generic(text) == text);
        is("new Overloads(5).which", new Overloads(5).which);
        is("new Overloads(text).which", new Overloads(text).which);
        is("new Overloads(1, 2, 3).which", new Overloads(1, 2, 3).which);
        is("Color.valueOf(\"RED\")", Color.valueOf("RED"));
        is("color", color);
        is("color.name() + color.ordinal()", color.name() + color.ordinal());
        is("Color.GREEN == color", Color.GREEN == color);
        is("color.compareTo(Color.RED)", color.compareTo(Color.RED));
        is("color.getDeclaringClass()", color.getDeclaringClass());
        is("Main.Color.BLUE.weight()", Main.Color.BLUE.weight());
        is("other().shared", other().shared);
        is("object.hashCode() == System.identityHashCode(object)",
                object.hashCode() == System.identityHashCode(object));
        fails("text.charAt(99)", () -> ignore(text.charAt(99)));
        fails("list.get(99)", () -> ignore(list.get(99)));
        fails("Integer.parseInt(text)", () -> ignore(Integer.parseInt(text)));
        fails("((String) map.get(text).toString()).length()",
                () -> ignore(((String) map.get(text).toString()).length()));
        stop(); // @calls
    }

    static evaluate.other.Elsewhere other() {
        return new evaluate.other.Elsewhere();
    }

    static void assignments() {
        int i = 5;
        long l = 10;
        byte b = 100;
        char c = 'a';
        double d = 1.5;
        String s = "s";
        Integer box = 7;
        boolean t = true;
        int[] a = {1, 2, 3};
        String[] words = {"a", "b"};
        Point p = new Point(3, 4);
        is("i = 6", i = 6);
        is("i++ + i", i++ + i);
        is("++i * 2 - i--", ++i * 2 - i--);
        is("i += 3.7", i += 3.7);
        is("i -= 'a'", i -= 'a');
        is("i *= l", i *= l);
        is("i <<= 2", i <<= 2);
        is("i >>>= 1", i >>>= 1);
        is("i %= 7", i %= 7);
        is("b += 100", b += 100);
        is("b++", b++);
        is("b >>= 1", b >>= 1);
        is("c += 1", c += 1);
        is("c++", c++);
        is("--c", --c);
        is("l = i", l = i);
        is("l |= 0xF0L", l |= 0xF0L);
        is("d /= 2", d /= 2);
        is("d++", d++);
        is("s += 1 + 2", s += 1 + 2);
        is("s += 'c'", s += 'c');
        is("s = s + null", s = s + null);
        is("box += 1", box += 1);
        is("box++", box++);
        is("box = 9", box = 9);
        is("t &= i > 1000", t &= i > 1000);
        is("t = !t", t = !t);
        is("a[0] = 10", a[0] = 10);
        is("a[1] += a[0]", a[1] += a[0]);
        is("a[a[2] - 3]++", a[a[2] - 3]++);
        is("a[0] + a[1] + a[2]", a[0] + a[1] + a[2]);
        is("a[i = 1] = i + 5", a[i = 1] = i + 5);
        is("words[0] += words[1]", words[0] += words[1]);
        is("words[1] = null", words[1] = null);
        is("p.x = 8", p.x = 8);
        is("p.x += p.y", p.x += p.y);
        is("p.y++ - --p.x", p.y++ - --p.x);
        makes("p.next = new Point(1, p.x)", p.next = new Point(1, p.x));
        is("p.next.y", p.next.y);
        is("p.next.next == null", p.next.next == null);
        is("count = count + 1", count = count + 1);
        is("count++", count++);
        is("Main.count -= 2", Main.count -= 2);
        is("name = \"changed\"", name = "changed");
        is("name += count", name += count);
        is("longs[0] = i", longs[0] = i);
        is("i = i + (i = 3) * i", i = i + (i = 3) * i);
        is("a[i - 9] = i = 2", a[i - 9] = i = 2);
        i = 5;
        l = 10;
        b = 100;
        c = 'a';
        d = 1.5;
        s = "s";
        box = 7;
        t = true;
        a[0] = 1;
        a[1] = 2;
        a[2] = 3;
        words[0] = "a";
        words[1] = "b";
        p.x = 3;
        p.y = 4;
        p.next = null;
        count = 7;
        name = "main";
        longs[0] = 1;
        stop(); // @assignments
    }

    static final class Point {
        int x;
        int y;
        Point next;

        Point(int x, int y) {
            this.x = x;
            this.y = y;
        }

        @Override
        public String toString() {
            return "(" + x + ", " + y + ")";
        }
    }

    public static void main(String[] args) {
        List<String> list = new ArrayList<>(List.of("one", "three"));
        Map<String, Integer> map = new HashMap<>(Map.of("a", 1));
        Operators.literals();
        Operators.arithmetic(17, 5L, (byte) 12, (short) 300, 'a', 2.5f, 0.75, true);
        Operators.boxes();
        arrays(new int[] {1, 2, 3}, new String[] {"a", "bcd"}, new Object[] {"x", 1},
                new int[][] {{1, 2}, {3, 4, 5}});
        calls(new Object(), "text", list, map);
        assignments();
        color.weight();
        new Contexts<>("outer", list).run();
        Contexts.recursive(3, 1);
        evaluate.other.Elsewhere.start();
    }
}
