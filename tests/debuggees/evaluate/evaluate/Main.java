// SPDX-License-Identifier: Apache-2.0
package evaluate;

import static evaluate.Expect.fails;
import static evaluate.Expect.is;
import static evaluate.Expect.makes;
import static evaluate.Expect.stop;

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
                stop("enum constant"); // @enum-constant
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

    static void literals() {
        is("1", 1);
        is("0x7fff_ffff", 0x7fff_ffff);
        is("0xFFFFFFFF", 0xFFFFFFFF);
        is("-2147483648", -2147483648);
        is("0b1010", 0b1010);
        is("017", 017);
        is("1_000_000L", 1_000_000L);
        is("-9223372036854775808L", -9223372036854775808L);
        is("0x8000000000000000L", 0x8000000000000000L);
        is("1.5", 1.5);
        is("1e10f", 1e10f);
        is(".5f", .5f);
        is("0x1.8p1", 0x1.8p1);
        is("1d", 1d);
        is("3.4028235e38f", 3.4028235e38f);
        is("4.9e-324", 4.9e-324);
        is("'a'", 'a');
        is("'\\n'", '\n');
        is("'\\u00e9'", '\u00e9');
        is("'\\101'", '\101');
        is("'\\\\'", '\\');
        is("true", true);
        is("false", false);
        is("null", (Object) null);
        is("\"tab\\t\\\"quote\\\"\"", "tab\t\"quote\"");
        is("\"\\u00fc\\ud83d\\ude00\"", "\u00fc\ud83d\ude00");
        is("\"a\\0b\".length()", "a\0b".length());
        is("\"\"", "");
        is("int.class", int.class);
        is("void.class", void.class);
        is("String.class", String.class);
        is("int[][].class", int[][].class);
        is("String[].class", String[].class);
        is("java.util.Map.Entry.class", java.util.Map.Entry.class);
        stop("literals"); // @literals
    }

    static void arithmetic(int i, long l, byte b, short s, char c, float f, double d, boolean t) {
        int max = Integer.MAX_VALUE;
        int min = Integer.MIN_VALUE;
        long huge = Long.MAX_VALUE;
        double nan = Double.NaN;
        double zero = 0.0;
        float third = 1f / 3f;
        is("i + l", i + l);
        is("i + 1", i + 1);
        is("b + s", b + s);
        is("c + 1", c + 1);
        is("(char) (c + 1)", (char) (c + 1));
        is("max + 1", max + 1);
        is("min - 1", min - 1);
        is("max * 2", max * 2);
        is("max * max", max * max);
        is("huge + 1", huge + 1);
        is("huge * 3", huge * 3);
        is("-min", -min);
        is("min / -1", min / -1);
        is("min % -1", min % -1);
        is("-7 / 2", -7 / 2);
        is("-7 % 3", -7 % 3);
        is("7 % -3", 7 % -3);
        is("-i / 4", -i / 4);
        is("-i % 4", -i % 4);
        is("i / 3.0", i / 3.0);
        is("-7.5 % 2", -7.5 % 2);
        is("d % f", d % f);
        is("1 / zero", 1 / zero);
        is("-1 / zero", -1 / zero);
        is("zero / zero == nan", zero / zero == nan);
        is("nan != nan", nan != nan);
        is("nan < 1 || nan >= 1", nan < 1 || nan >= 1);
        is("zero == -zero", zero == -zero);
        is("third", third);
        is("third * 3", third * 3);
        is("third + d", third + d);
        is("0.1 + 0.2", 0.1 + 0.2);
        is("0.1f + 0.2f", 0.1f + 0.2f);
        is("f * f + f", f * f + f);
        is("(float) d", (float) d);
        is("huge + 0f", huge + 0f);
        is("huge + 0d", huge + 0d);
        is("(float) 16777217L", (float) 16777217L);
        is("(int) 3.99", (int) 3.99);
        is("(int) -3.99", (int) -3.99);
        is("(int) 1e20", (int) 1e20);
        is("(long) -1e30", (long) -1e30);
        is("(int) nan", (int) nan);
        is("(byte) 300", (byte) 300);
        is("(byte) i", (byte) i);
        is("(char) -1", (char) -1);
        is("(short) 40000", (short) 40000);
        is("(byte) 1e10", (byte) 1e10);
        is("(char) 65.7", (char) 65.7);
        is("(int) huge", (int) huge);
        is("i << 33", i << 33);
        is("i << -1", i << -1);
        is("l << 33", l << 33);
        is("-i >> 2", -i >> 2);
        is("-i >>> 28", -i >>> 28);
        is("-l >>> 60", -l >>> 60);
        is("b >>> 1", b >>> 1);
        is("(byte) -1 >>> 4", (byte) -1 >>> 4);
        is("i << l", i << l);
        is("i & 6 | 1", i & 6 | 1);
        is("i ^ l", i ^ l);
        is("~i", ~i);
        is("~b", ~b);
        is("+c", +c);
        is("-b", -b);
        is("- -i", - -i);
        is("t & !t", t & !t);
        is("t ^ true", t ^ true);
        is("t | false", t | false);
        is("i > 10 && l < 10", i > 10 && l < 10);
        is("i == 17L", i == 17L);
        is("c == 97", c == 97);
        is("c >= 'a' && c <= 'z'", c >= 'a' && c <= 'z');
        is("i != f", i != f);
        is("t ? i : l", t ? i : l);
        is("t ? b : s", t ? b : s);
        is("t ? 1 : 'a'", t ? 1 : 'a');
        is("t ? b : 'a'", t ? b : 'a');
        is("t ? i : 'a'", t ? i : 'a');
        is("t ? null : 0", t ? null : 0);
        is("false ? 1 : 2.0", false ? 1 : 2.0);
        is("i > 3 ? \"big\" : \"small\"", i > 3 ? "big" : "small");
        is("1 + 2 + \"3\" + 4 + 5", 1 + 2 + "3" + 4 + 5);
        is("\"\" + c + i + l + f + d + t + null", "" + c + i + l + f + d + t + null);
        is("\"\" + 1e7 + \" \" + 1e-3 + \" \" + 1.0E-4", "" + 1e7 + " " + 1e-3 + " " + 1.0E-4);
        is("\"\" + 123456789.0f + 0.1f", "" + 123456789.0f + 0.1f);
        is("\"\" + nan + 1 / zero + -zero", "" + nan + 1 / zero + -zero);
        is("\"\" + (byte) 200 + (char) 66", "" + (byte) 200 + (char) 66);
        is("c + \"\"", c + "");
        is("(i + l) * (b - 1) / 2 % 5", (i + l) * (b - 1) / 2 % 5);
        is("((i))", ((i)));
        fails("i / (b - b)", () -> ignore(i / (b - b)));
        fails("l % 0", () -> ignore(l % 0));
        stop("arithmetic"); // @arithmetic
    }

    static void ignore(Object value) {}

    static void boxes() {
        Integer five = 5;
        Integer big = 1000;
        Long longBox = 5L;
        Character letter = 'x';
        Boolean yes = true;
        Double half = 0.5;
        Byte small = (byte) 3;
        Object object = 42;
        Number number = 2.5f;
        Integer none = null;
        is("five + 1", five + 1);
        is("five * half", five * half);
        is("five == 5", five == 5);
        is("five == longBox.intValue()", five == longBox.intValue());
        is("five + longBox", five + longBox);
        is("letter + 1", letter + 1);
        is("letter + \"\" + five", letter + "" + five);
        is("yes && !false", yes && !false);
        is("!yes", !yes);
        is("yes ? five : big", yes ? five : big);
        is("yes ? five : half", yes ? five : half);
        is("five < big", five < big);
        is("-small", -small);
        is("(int) object", (int) object);
        is("(Integer) object", (Integer) object);
        is("(float) number", (float) number);
        is("five", five);
        is("(Object) 5", (Object) 5);
        is("(long) five", (long) five);
        is("object == (Object) 42", object == (Object) 42);
        is("five.equals(5)", five.equals(5));
        is("five.equals(5L)", five.equals(5L));
        is("longBox.equals(5L)", longBox.equals(5L));
        is("Integer.valueOf(7).hashCode()", Integer.valueOf(7).hashCode());
        is("big.compareTo(five)", big.compareTo(five));
        is("object instanceof Integer", object instanceof Integer);
        is("object instanceof Number", object instanceof Number);
        is("number instanceof Comparable", number instanceof Comparable);
        is("none == null", none == null);
        is("none instanceof Integer", none instanceof Integer);
        is("\"\" + none + number", "" + none + number);
        fails("none + 1", () -> ignore(none + 1));
        fails("(String) object", () -> ignore((String) object));
        stop("boxes"); // @boxes
    }

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
        stop("arrays"); // @arrays
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
        fails("list.get(99)", () -> ignore(list.get(99)));
        fails("Integer.parseInt(text)", () -> ignore(Integer.parseInt(text)));
        fails("((String) map.get(text).toString()).length()",
                () -> ignore(((String) map.get(text).toString()).length()));
        stop("calls"); // @calls
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
        stop("assignments"); // @assignments
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
        literals();
        arithmetic(17, 5L, (byte) 12, (short) 300, 'a', 2.5f, 0.75, true);
        boxes();
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
