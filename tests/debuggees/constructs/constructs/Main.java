// SPDX-License-Identifier: Apache-2.0
package constructs;

import static constructs.Expect.fails;
import static constructs.Expect.ignore;
import static constructs.Expect.is;
import static constructs.Expect.makes;
import static constructs.Expect.stop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Primitives, strings, conversions, arrays and overloads in static methods. */
public final class Main {
    static Integer shared = 40;
    static char letter = 'x';

    private Main() {}

    static void numbers(int i, long l, byte b, short s, char c, float f, double d, boolean t) {
        double inf = Double.POSITIVE_INFINITY;
        float none = Float.NaN;
        long least = Long.MIN_VALUE;
        int größe = 3;
        is("größe + 1", größe + 1);
        is("least / -1", least / -1);
        is("least - 1L", least - 1L);
        is("Integer.MIN_VALUE - 1L", Integer.MIN_VALUE - 1L);
        is("Math.abs(Integer.MIN_VALUE)", Math.abs(Integer.MIN_VALUE));
        is("(byte) (b + b)", (byte) (b + b));
        is("(char) ('\\uffff' + 1)", (char) ('\uffff' + 1));
        is("i * i * i * i * i * i * i * i", i * i * i * i * i * i * i * i);
        is("none == none", none == none);
        is("!(none > 1) && !(none <= 1)", !(none > 1) && !(none <= 1));
        is("none != none ? 1 : 2", none != none ? 1 : 2);
        is("Double.valueOf(none).equals(Double.valueOf(Float.NaN))",
                Double.valueOf(none).equals(Double.valueOf(Float.NaN)));
        is("0.0 == -0.0", 0.0 == -0.0);
        is("Double.valueOf(0.0).equals(-0.0)", Double.valueOf(0.0).equals(-0.0));
        is("Math.min(0.0, -0.0)", Math.min(0.0, -0.0));
        is("inf - inf", inf - inf);
        is("5 % inf", 5 % inf);
        is("inf % 5", inf % 5);
        is("-0.0 + 0.0", -0.0 + 0.0);
        is("1 / -0.0f", 1 / -0.0f);
        is("(int) none", (int) none);
        is("(long) inf", (long) inf);
        is("(char) -1.5", (char) -1.5);
        is("(byte) 200.9", (byte) 200.9);
        is("(short) 1e10f", (short) 1e10f);
        is("(int) (char) (byte) -1", (int) (char) (byte) -1);
        is("(long) (int) 3e9", (long) (int) 3e9);
        is("(float) 0.1 == 0.1", (float) 0.1 == 0.1);
        is("(double) 0.1f", (double) 0.1f);
        is("1e308 * 10", 1e308 * 10);
        is("'a' + 'b'", 'a' + 'b');
        is("(char) ('a' + 1)", (char) ('a' + 1));
        is("'z' - c", 'z' - c);
        is("-'a'", -'a');
        is("'a' * 2.0", 'a' * 2.0);
        is("'a' < 98 == true", 'a' < 98 == true);
        is("c > 'b' ? c : 'b'", c > 'b' ? c : 'b');
        is("'a' + (byte) 1", 'a' + (byte) 1);
        is("c + \"\" + (c + 1) + (char) (c + 1)", c + "" + (c + 1) + (char) (c + 1));
        is("'a' + 1 + \"b\"", 'a' + 1 + "b");
        is("\"b\" + 'a' + 1", "b" + 'a' + 1);
        is("i >> 1 + 1", i >> 1 + 1);
        is("i >>> l", i >>> l);
        is("l >> i", l >> i);
        is("-1 >>> 31 >>> 1", -1 >>> 31 >>> 1);
        is("-1L >>> 31", -1L >>> 31);
        is("(byte) 0x80 >> 3", (byte) 0x80 >> 3);
        is("(short) -1 >>> 20", (short) -1 >>> 20);
        is("1 << 31", 1 << 31);
        is("1L << 63 >> 63", 1L << 63 >> 63);
        is("i << 5L", i << 5L);
        is("i & 0xF ^ 3 | 8", i & 0xF ^ 3 | 8);
        is("(l | i) & ~b", (l | i) & ~b);
        is("t && !t || t ^ !t", t && !t || t ^ !t);
        is("t | !t & t", t | !t & t);
        is("i == 17 & l != 5", i == 17 & l != 5);
        is("~-i", ~-i);
        is("- - - i", - - - i);
        is("+b", +b);
        is("i - -i", i - -i);
        is("7 - 3 - 2", 7 - 3 - 2);
        is("2 + 3 * 4 % 5", 2 + 3 * 4 % 5);
        is("i > 3 == l > 3", i > 3 == l > 3);
        is("i / 2 * 2.0f", i / 2 * 2.0f);
        is("10 / 4 * 2.5", 10 / 4 * 2.5);
        is("1.0f / 3 * 3 == 1.0f", 1.0f / 3 * 3 == 1.0f);
        is("100_000 * 100_000", 100_000 * 100_000);
        is("100_000L * 100_000", 100_000L * 100_000);
        is("0x1p-1074", 0x1p-1074);
        is("t ? 1 : t ? 2L : 3.0f", t ? 1 : t ? 2L : 3.0f);
        is("t ? 'a' : i", t ? 'a' : i);
        is("t ? (byte) 1 : 'a'", t ? (byte) 1 : 'a');
        is("t ? b : 100", t ? b : 100);
        is("t ? b : 200", t ? b : 200);
        is("t ? s : b", t ? s : b);
        is("t ? s : 'a'", t ? s : 'a');
        is("t ? c : 65535", t ? c : 65535);
        is("t ? c : 65536", t ? c : 65536);
        is("t ? c : b", t ? c : b);
        is("!t ? 1 : !t ? 'b' : (short) 3", !t ? 1 : !t ? 'b' : (short) 3);
        is("t ? 1 : 2 > 1 ? 3.5 : 'c'", t ? 1 : 2 > 1 ? 3.5 : 'c');
        is("(t ? 1 : 2) + (t ? 0.5f : 1)", (t ? 1 : 2) + (t ? 0.5f : 1));
        is("t ? i : Integer.valueOf(4)", t ? i : Integer.valueOf(4));
        is("t ? Integer.valueOf(4) : Double.valueOf(2)",
                t ? Integer.valueOf(4) : Double.valueOf(2));
        is("t ? Byte.valueOf(b) : Short.valueOf(s)", t ? Byte.valueOf(b) : Short.valueOf(s));
        is("t ? null : i", t ? null : i);
        is("t ? 1 : \"x\"", t ? 1 : "x");
        is("t ? 'x' : \"x\"", t ? 'x' : "x");
        is("(Object) (t ? 1 : 2.0)", (Object) (t ? 1 : 2.0));
        is("(long) i * Integer.MAX_VALUE", (long) i * Integer.MAX_VALUE);
        is("(int) l + (byte) i", (int) l + (byte) i);
        is("(Integer) i + (Long) l", (Integer) i + (Long) l);
        is("Math.round(2.5f)", Math.round(2.5f));
        is("Math.round(2.5)", Math.round(2.5));
        is("Math.max(c, 1f)", Math.max(c, 1f));
        is("Integer.compare(3, 'a')", Integer.compare(3, 'a'));
        is("Long.hashCode(l << 40)", Long.hashCode(l << 40));
        fails("i % (i - i)", () -> ignore(i % (i - i)));
        fails("l / 0L", () -> ignore(l / 0L));
        stop(); // @numbers
    }

    static void strings(String text, Object any, String none, char[] letters, int n) {
        is("\"\"\"\n    a\n      b\\tc \\\n    d\\s\n    \"quoted\" \\\"\"\"\n    \"\"\"", """
    a
      b\tc \
    d\s
    "quoted" \"""
    """);
        is("\"\"\"\n    one\\n  two\"\"\".length()", """
    one\n  two""".length());
        is("\"\"\"\n   \\u0041${n}\n  <html>\n  \"\"\"", """
   \u0041${n}
  <html>
  """);
        is("\"a\" + 1 + 2", "a" + 1 + 2);
        is("1 + 2 + \"a\" + 1 + 2", 1 + 2 + "a" + 1 + 2);
        is("\"\" + none + null", "" + none + null);
        is("null + \"x\"", null + "x");
        is("none + none", none + none);
        is("\"x\" + 1.0f + 1e21 + 1e-5 + 100.0 + 1.0E7f",
                "x" + 1.0f + 1e21 + 1e-5 + 100.0 + 1.0E7f);
        is("\"x\" + Long.MIN_VALUE + (byte) -1 + true", "x" + Long.MIN_VALUE + (byte) -1 + true);
        is("\"\" + Float.MIN_VALUE + Double.MAX_VALUE + 0.001 + 1234567.0f",
                "" + Float.MIN_VALUE + Double.MAX_VALUE + 0.001 + 1234567.0f);
        is("\"\" + (Object) null + 'c'", "" + (Object) null + 'c');
        is("\"\\0\\1\\12\\377\\47\\b\\f\\r\\s\" + \"\\u20ac\"",
                "\0\1\12\377\47\b\f\r\s" + "\u20ac");
        is("\"\\\\u0041 \\u0041\"", "\\u0041 \u0041");
        is("text + any + n", text + any + n);
        is("text == \"text\" && text == \"te\" + \"xt\"", text == "text" && text == "te" + "xt");
        is("text == new String(\"text\")", text == new String("text"));
        is("(text + \"\").equals(text)", (text + "").equals(text));
        is("(text + \"\") == text", (text + "") == text);
        is("new String(\"text\").intern() == text", new String("text").intern() == text);
        is("\"a\" == \"a\"", "a" == "a");
        is("\"abc\".substring(1, 2) + \"abc\".charAt(n - 2)",
                "abc".substring(1, 2) + "abc".charAt(n - 2));
        is("\"%s-%s\".formatted(1, \"b\")", "%s-%s".formatted(1, "b"));
        is("String.format(\"%s %s\", new Object[] {\"a\", \"b\"})",
                String.format("%s %s", new Object[] {"a", "b"}));
        is("String.valueOf(new char[] {'o', 'k'})", String.valueOf(new char[] {'o', 'k'}));
        is("String.valueOf(letters).length()", String.valueOf(letters).length());
        is("String.valueOf((Object) \"o\")", String.valueOf((Object) "o"));
        is("new String(letters, 1, 1)", new String(letters, 1, 1));
        is("\"a,b,,c\".split(\",\").length", "a,b,,c".split(",").length);
        is("\"b\".compareTo(\"a\") > 0 ? \"after\" : \"before\"",
                "b".compareTo("a") > 0 ? "after" : "before");
        is("text.chars().sum()", text.chars().sum());
        is("text.toUpperCase().toLowerCase().equals(text)",
                text.toUpperCase().toLowerCase().equals(text));
        is("\"  x \".strip().isBlank()", "  x ".strip().isBlank());
        is("\"ab\".repeat(n)", "ab".repeat(n));
        is("text.hashCode() == \"text\".hashCode()", text.hashCode() == "text".hashCode());
        is("text instanceof CharSequence", text instanceof CharSequence);
        is("any instanceof String string ? string.length() : -1",
                any instanceof String string ? string.length() : -1);
        is("any instanceof String string && string.length() == n && !string.isEmpty()",
                any instanceof String string && string.length() == n && !string.isEmpty());
        is("!(any instanceof Integer number) || number > 3",
                !(any instanceof Integer number) || number > 3);
        is("none instanceof String", none instanceof String);
        is("((CharSequence & Comparable<String>) text).length()",
                ((CharSequence & Comparable<String>) text).length());
        is("((Comparable<String> & java.io.Serializable) text).compareTo(\"a\") > 0",
                ((Comparable<String> & java.io.Serializable) text).compareTo("a") > 0);
        is("(CharSequence) text", (CharSequence) text);
        is("((Object) text).equals(any)", ((Object) text).equals(any));
        makes("new StringBuilder().append('a').append(98).append(true).append((Object) null)",
                new StringBuilder().append('a').append(98).append(true).append((Object) null));
        makes("new StringBuilder(\"abc\").insert(0, 'x').deleteCharAt(1)",
                new StringBuilder("abc").insert(0, 'x').deleteCharAt(1));
        fails("none.length()", () -> ignore(none.length()));
        fails("(Integer) any", () -> ignore((Integer) any));
        fails("\"abc\".substring(n + 1)", () -> ignore("abc".substring(n + 1)));
        is("switch (text) { case \"a\", \"text\" -> 1; default -> 2; }",
                switch (text) { case "a", "text" -> 1; default -> 2; });
        is("switch (n) { case 3 -> { var half = n / 2; yield half + 0.5; } default -> 'c'; }",
                switch (n) { case 3 -> { var half = n / 2; yield half + 0.5; } default -> 'c'; });
        is("switch (n) { case 1: case 3: yield \"odd\"; default: yield \"even\"; }",
                switch (n) { case 1: case 3: yield "odd"; default: yield "even"; });
        is("switch (text.length()) { case 4 -> n > 2 ? 'x' : 'y'; default -> throw new Error(); }",
                switch (text.length()) { case 4 -> n > 2 ? 'x' : 'y'; default -> throw new Error(); });
        stop(); // @strings
    }

    static void changes() {
        int i = 17;
        long l = 5;
        byte b = 12;
        short s = 300;
        char c = 'a';
        float f = 2.5f;
        double d = 0.75;
        boolean t = true;
        String text = "s";
        Object any = "any";
        Integer box = 127;
        Long wide = 5L;
        Character mark = 'x';
        Byte small = 127;
        Short brief = 1;
        Float half = 0.5f;
        Double whole = 2.0;
        Boolean flag = true;
        Integer[] boxes = {1, 2, 3};
        int[][] grid = {{1, 2}, {3, 4}};
        char[] letters = {'a', 'b'};
        byte[] bytes = {127, -128};
        String[] words = {"a", null};
        Holder holder = new Holder();
        is("b <<= 9", b <<= 9);
        is("b = 12", b = 12);
        is("b -= 200", b -= 200);
        is("b >>>= 1", b >>>= 1);
        is("b >>= 2", b >>= 2);
        is("b *= 2.9", b *= 2.9);
        is("b |= 0x1ff", b |= 0x1ff);
        is("b ^= -1", b ^= -1);
        is("b /= 0.3f", b /= 0.3f);
        is("b %= 7", b %= 7);
        is("s >>>= 3", s >>>= 3);
        is("s <<= 12", s <<= 12);
        is("s += 70000", s += 70000);
        is("s = (short) 'a'", s = (short) 'a');
        is("c += 1.9", c += 1.9);
        is("c <<= 3", c <<= 3);
        is("c &= 0xff", c &= 0xff);
        is("c -= 'a'", c -= 'a');
        is("c = 98", c = 98);
        is("c ^= c", c ^= c);
        is("--c", --c);
        is("i <<= 33L", i <<= 33L);
        is("i += 1e20", i += 1e20);
        is("i -= Long.MAX_VALUE", i -= Long.MAX_VALUE);
        is("i >>>= 65", i >>>= 65);
        is("i = 17", i = 17);
        is("i /= 2.5", i /= 2.5);
        is("i %= 2.5", i %= 2.5);
        is("i *= -1.5f", i *= -1.5f);
        is("i ^= 0b101", i ^= 0b101);
        is("i = i++ + i++", i = i++ + i++);
        is("i = i-- - --i", i = i-- - --i);
        is("i += i++ * 2 + i", i += i++ * 2 + i);
        is("-i++ + ++i", -i++ + ++i);
        is("(byte) i++ * 100", (byte) i++ * 100);
        is("~-i-- - - -i", ~-i-- - - -i);
        is("l >>>= 65", l >>>= 65);
        is("l <<= 62", l <<= 62);
        is("l += 0.5f", l += 0.5f);
        is("l = l++ + i", l = l++ + i);
        is("f += d", f += d);
        is("f++", f++);
        is("f %= 1", f %= 1);
        is("d -= 'a'", d -= 'a');
        is("--d", --d);
        is("t ^= t", t ^= t);
        is("t |= i != 0", t |= i != 0);
        is("t = t & flag", t = t & flag);
        is("text += null", text += null);
        is("text += 'c' + 1", text += 'c' + 1);
        is("text += 'c'", text += 'c');
        is("text += letters.length + 1.0", text += letters.length + 1.0);
        is("text += text = \"new\"", text += text = "new");
        is("any += \"x\"", any += "x");
        is("any = any + \"y\" + 1", any = any + "y" + 1);
        is("box++", box++);
        is("box", box);
        is("++box", ++box);
        is("box += 1", box += 1);
        is("box <<= 2", box <<= 2);
        is("box = box / 2 + 1", box = box / 2 + 1);
        is("box--", box--);
        is("wide++", wide++);
        is("wide += 3", wide += 3);
        is("wide = wide * 2", wide = wide * 2);
        is("mark++", mark++);
        is("mark", mark);
        is("++small", ++small);
        is("small--", small--);
        is("brief++", brief++);
        is("brief", brief);
        is("half++", half++);
        is("half", half);
        is("whole /= 4", whole /= 4);
        is("flag = !flag", flag = !flag);
        is("flag |= true", flag |= true);
        is("boxes[0]++", boxes[0]++);
        is("boxes[i = 1]--", boxes[i = 1]--);
        is("boxes[1] += 10", boxes[1] += 10);
        is("boxes[0] + boxes[1] * boxes[2]", boxes[0] + boxes[1] * boxes[2]);
        is("grid[1][0] += grid[0][1]++", grid[1][0] += grid[0][1]++);
        is("grid[0][1] = grid[1][0] = 9", grid[0][1] = grid[1][0] = 9);
        is("grid[grid[0][0]][1] <<= 1", grid[grid[0][0]][1] <<= 1);
        is("letters[0]++", letters[0]++);
        is("letters[1] += 1", letters[1] += 1);
        is("bytes[0]++", bytes[0]++);
        is("bytes[1]--", bytes[1]--);
        is("bytes[0] >>>= 1", bytes[0] >>>= 1);
        is("words[0] += words[1]", words[0] += words[1]);
        is("words[1] += 1", words[1] += 1);
        is("holder.count++", holder.count++);
        is("holder.count += 0.9", holder.count += 0.9);
        is("holder.total--", holder.total--);
        is("holder.total", holder.total);
        is("holder.total += holder.count", holder.total += holder.count);
        is("holder.self().total *= 2", holder.self().total *= 2);
        is("holder.self().name += holder.count", holder.self().name += holder.count);
        is("(holder.next = holder).next.count", (holder.next = holder).next.count);
        is("holder.next.next.count = -1", holder.next.next.count = -1);
        is("Holder.made += 5", Holder.made += 5);
        is("Holder.made++", Holder.made++);
        is("Main.shared++", Main.shared++);
        is("shared += 2", shared += 2);
        is("shared", shared);
        is("letter++", letter++);
        is("Main.letter -= 1", Main.letter -= 1);
        is("i = (i = 2) + -i", i = (i = 2) + -i);
        is("boxes[i] = i = 1", boxes[i] = i = 1);
        fails("boxes[i] = boxes[7]", () -> ignore(new int[] {1}[7]));
        fails("words[2] = \"x\"", () -> ignore(new int[] {1}[7]));
        fails("((Object[]) words)[0] = 1", () -> ((Object[]) new String[1])[0] = 1);
        fails("holder.nothing.count++", () -> new Holder().nothing.count++);
        i = 17;
        l = 5;
        b = 12;
        s = 300;
        c = 'a';
        f = 2.5f;
        d = 0.75;
        t = true;
        text = "s";
        any = "any";
        box = 127;
        wide = 5L;
        mark = 'x';
        small = 127;
        brief = 1;
        half = 0.5f;
        whole = 2.0;
        flag = true;
        System.arraycopy(new Integer[] {1, 2, 3}, 0, boxes, 0, 3);
        System.arraycopy(new int[] {1, 2}, 0, grid[0], 0, 2);
        System.arraycopy(new int[] {3, 4}, 0, grid[1], 0, 2);
        System.arraycopy(new char[] {'a', 'b'}, 0, letters, 0, 2);
        System.arraycopy(new byte[] {127, -128}, 0, bytes, 0, 2);
        System.arraycopy(new String[] {"a", null}, 0, words, 0, 2);
        holder.reset();
        shared = 40;
        letter = 'x';
        stop(); // @changes
    }

    static final class Holder {
        static long made = 1;
        int count = 3;
        Integer total = 1000;
        String name = "h";
        Holder next;
        Holder nothing;

        Holder self() {
            return this;
        }

        void reset() {
            made = 1;
            count = 3;
            total = 1000;
            name = "h";
            next = null;
        }
    }

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
        numbers(17, 5L, (byte) 12, (short) 300, 'e', 2.5f, 0.75, true);
        strings("text", "any", null, new char[] {'x', 'y'}, 3);
        changes();
        boxing(1, 100, 1000, new ArrayList<>(List.of(5, 6)), null);
        arrays(new int[] {1, 2, 3}, new int[][] {{1, 2}, {3}}, new Integer[] {1, 2},
                new List[] {List.of("one")}, 8, 9);
        Places.visit();
    }
}
