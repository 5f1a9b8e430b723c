// SPDX-License-Identifier: Apache-2.0
package everyday;

import static everyday.Calls.*;
import static expect.Expect.*;

/** Arithmetic, conversions, literals and constants, which another class has. */
final class Numbers {
    private Numbers() {}

    static void numbers(byte b, short s, char c, int i, long l, float f, double d, Integer nothing, Boolean unset,
            Long wide, Character letter, boolean yes, int[] a) {
        is((char) (c + 1));
        is((int) c);
        is(c + 1);
        is("" + c + 1);
        is(c + 1 + "");
        is('a' + 'b' + "c");
        is("c" + 'a' + 'b');
        is("x" + (c + 1));
        is(1 + 2 + "3" + 4 + 5);
        is("" + null + true + 1.0f + 2.0 + 3L);
        is("" + f + d + (float) 1e10 + 1e-5 + 100.0 + 1e7);
        is((byte) 200);
        is((byte) (b << 3));
        is((short) 70000);
        is((char) 65601);
        is((int) 3.99e10);
        is((long) Float.NaN);
        is((int) -0.9);
        is((byte) 300.7);
        is((char) -1 + 0);
        is((int) (char) (byte) -1);
        is(i / 2 + i % 2);
        is(-7 / 2 + -7 % 2);
        is(-7 >> 1);
        is(-7 >>> 28);
        is(-7L >>> 60);
        is(1 << 33);
        is(1L << 33);
        is(1 << -1);
        is(b >> 1);
        is(b >>> 1);
        is(~b);
        is(-c);
        is(+s);
        is(i & 0xff | 0x100 ^ 3);
        is(yes & !yes | yes ^ true);
        is(0x7fffffff + 1);
        is(Integer.MIN_VALUE / -1);
        is(Math.abs(Integer.MIN_VALUE));
        is(Long.MIN_VALUE % -1);
        is(5.0 % 3);
        is(-5.5 % 2);
        is(1.0 / 0);
        is(0.0 / 0 != 0.0 / 0);
        is(0.1 + 0.2);
        is(0.1f + 0.2f);
        is(0.1f + 0.2);
        is((float) 0.1 == 0.1);
        is(1e300 * 1e10);
        is(100 * 1.1);
        is(3 * 0.1 == 0.3);
        is(i == 17.0);
        is(c == 101);
        is(c > 'a' && c < 'z');
        is(l == i);
        is(f == d);
        is(wide == 5);
        is(wide.equals(5));
        is(wide.equals(5L));
        is(letter + 1);
        is(letter == 'q');
        is(yes ? 1 : 2.0);
        is(yes ? 'a' : 0);
        is(yes ? 'a' : i);
        is(yes ? b : c);
        is(yes ? b : s);
        is(yes ? b : 'a');
        is(yes ? (Integer) 1 : (Double) 2.0);
        is(yes ? 1 : "x");
        is(yes ? null : 0);
        is(yes ? SMALL : 'x');
        is(yes ? wide : 0);
        is(yes ? letter : 1);
        is((yes ? 1 : 'a') + 0L);
        is(true ? null : 1);
        is(false ? 1.0f : 'a');
        is(LIMIT + LETTER);
        is(PREFIX + LIMIT == JOINED);
        is((PREFIX + LIMIT + LETTER) == JOINED);
        is(JOINED == "pre40c");
        is(BIG >> 38);
        is(BOXED == SMALL);
        is(Calls.counter++ + --Calls.counter);
        is(a[i - 17] + a[a.length - 1]);
        is(a[a[0]]);
        is(a[1]++ + --a[1]);
        is((a[0] += 1) + (a[0] -= 1));
        is(a.clone()[2]);
        is(a.clone() == a);
        is(Integer.toHexString(-1) + Integer.toBinaryString(5));
        is(Integer.valueOf(5).hashCode() + Double.valueOf(1).intValue());
        is(Long.parseLong("123") + Integer.parseInt("-5"));
        is(Character.isLetter(c) ? Character.toUpperCase(c) : '-');
        is((char) Character.toUpperCase((int) c));
        is(Double.compare(0.0, -0.0));
        is(Float.floatToIntBits(f));
        is(Integer.MAX_VALUE + 1L);
        is(Byte.MAX_VALUE + Short.MIN_VALUE + Character.MAX_VALUE);
        is(Double.MIN_VALUE + Float.MAX_VALUE);
        is(0b1010_1010 + 0_17 + 0xFFL + 1_000_000);
        is('\u0041' + '\101' + '\n' + '\\' + '\'');
        is("\t\"\\\u0041\101\0");
        is("tab\there".length());
        is("""
            Hello,
              "world" \
            joined
            trailing\s
            """);
        is("""
            a""".length());
        fails(() -> ignore(nothing + 1));
        fails(() -> ignore(yes ? nothing : 0));
        fails(() -> ignore(i / (i - 17)));
        fails(() -> ignore(l % 0));
        fails(() -> ignore(unset ? 1 : 2));
        fails(() -> ignore(a[-1]));
        fails(() -> ignore(a[3] = 1));
        fails(() -> ignore(new int[-1]));
        fails(() -> ((Object[]) new Integer[1])[0] = "x");
        fails(() -> ignore((Integer) (Object) 1L));
        fails(() -> ignore((int) (Object) 'c'));
        fails(() -> ignore(nothing == 0));
        runs("byte", () -> { byte x = 10; x += 300; return x; });
        runs("char", () -> { char x = 'a'; x++; x += 1; return x; });
        runs("short", () -> { short x = 1; x <<= 15; return x; });
        runs("int", () -> { int x = 5; x *= 2.7; return x; });
        runs("int", () -> { int x = 5; x = x++ + ++x; return x; });
        runs("long", () -> { long x = 1; x -= 0.5f; return x; });
        runs("int", () -> { int x = 1; x >>>= 33; return x; });
        runs("int", () -> { int x = -1; x >>>= 28L; return x; });
        runs("byte", () -> { final byte x = LIMIT; return x; });
        runs("byte", () -> { byte x = SMALL + 3; return x; });
        runs("char", () -> { char x = LETTER + 1; return x; });
        runs("new", () -> { String x = "a"; x += 1 + 2; x += 'c'; x += null; return x; });
        runs("new", () -> { Object x = "a"; x += "b"; return x; });
        runs("new", () -> { Integer x = 5; x++; x += 2; return x; });
        runs("new", () -> { Character x = 'a'; x++; return x; });
        runs("boolean", () -> { boolean x = true; x &= false | true; x ^= true; return x; });
        runs("int", () -> { int[] x = {1, 2, 3}; int j = 0; x[j++] += 10; x[j] = j = 2; return x[0] * 100 + x[1] * 10 + j; });
        runs("int", () -> { int x, y; x = y = 4; return x + y; });
        runs("int", () -> { var x = 'a'; return x + 1; });
        runs("double", () -> { double x = 'a'; return x; });
        runs("float", () -> { float x = 5L; return x; });
        stop(); // @numbers
    }

    static void visit() {
        numbers((byte) -12, (short) 300, 'e', 17, 5L, 2.5f, 0.75, null, null, 5L, 'q', true, new int[] {1, 2, 3});
    }
}
