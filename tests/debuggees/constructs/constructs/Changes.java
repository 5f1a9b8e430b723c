// SPDX-License-Identifier: Apache-2.0
package constructs;

import static expect.Expect.fails;
import static expect.Expect.ignore;
import static expect.Expect.is;
import static expect.Expect.stop;

/** Whatever assigns, to whatever can be assigned to. */
final class Changes {
    static Integer shared = 40;
    static char letter = 'x';

    private Changes() {}

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
        is("Changes.shared++", Changes.shared++);
        is("shared += 2", shared += 2);
        is("shared", shared);
        is("letter++", letter++);
        is("Changes.letter -= 1", Changes.letter -= 1);
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
}
