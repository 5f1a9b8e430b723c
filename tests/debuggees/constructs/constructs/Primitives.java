// SPDX-License-Identifier: Apache-2.0
package constructs;

import static expect.Expect.fails;
import static expect.Expect.ignore;
import static expect.Expect.is;
import static expect.Expect.makes;
import static expect.Expect.stop;

/** Numbers, characters, strings: static methods with locals of every primitive type. */
final class Primitives {
    private Primitives() {}

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
}
