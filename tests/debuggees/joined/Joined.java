// SPDX-License-Identifier: Apache-2.0

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;

/** Classes whose toString() joins fields, and some whose toString() does more. */
public class Joined {
    static class Numbers {
        final boolean flag;
        final byte small;
        final char letter;
        final short brief;
        final int number;
        final long large;
        final float real;
        final double precise;

        Numbers(boolean flag, int number, char letter, long large, float real, double precise) {
            this.flag = flag;
            this.small = (byte) number;
            this.letter = letter;
            this.brief = (short) number;
            this.number = number;
            this.large = large;
            this.real = real;
            this.precise = precise;
        }

        @Override public String toString() {
            return flag + "," + small + ',' + letter + "," + brief + "," + number + "," + large + "L"
                + real + "f" + precise;
        }
    }

    static class Boxes {
        final Boolean flag;
        final Character letter;
        final Integer number;
        final Long large;
        final Float real;
        final Double precise;
        final Byte small = 7;
        final Short brief = null;

        Boxes(Boolean flag, Character letter, Integer number, Long large, Float real, Double precise) {
            this.flag = flag;
            this.letter = letter;
            this.number = number;
            this.large = large;
            this.real = real;
            this.precise = precise;
        }

        @Override public String toString() {
            return "" + flag + letter + number + large + real + precise + small + brief;
        }
    }

    static class Text {
        final String text;
        final Object any;

        Text(String text, Object any) {
            this.text = text;
            this.any = any;
        }

        String getText() {
            return text;
        }

        private String hidden() {
            return "<" + text + ">";
        }

        @Override public String toString() {
            return "\1\2Text {text='" + text + "', \"any\"=" + any + "}\n\t\\ \u00e9\ud83d\ude00\0";
        }
    }

    static class Below extends Text {
        final int more = 3;
        final String text;

        Below(String text) {
            super("above " + text, null);
            this.text = text;
        }

        @Override String getText() {
            return text + " of Below";
        }

        private String hidden() {
            return "hidden " + text;
        }

        @Override public String toString() {
            return "Below(" + super.toString() + ", " + getText() + hidden() + text + super.text + more + ")";
        }
    }

    abstract static class Named {
        abstract String name();

        private String own() {
            return "own of Named";
        }

        @Override public String toString() {
            return getClass().getSimpleName() + "[" + name() + ", " + own() + ", "
                + getClass().getName() + "]";
        }
    }

    static class First extends Named {
        @Override String name() {
            return "first";
        }

        String own() {
            return "never called";
        }
    }

    static class Second$Third extends Named {
        int value = 4;

        @Override String name() {
            return "second " + value;
        }
    }

    static class Chosen {
        final String name;
        final int count;
        final Chosen next;

        Chosen(String name, int count, Chosen next) {
            this.name = name;
            this.count = count;
            this.next = next;
        }

        @Override public String toString() {
            if (name == null) {
                return count > 1 ? "nameless, " + count : "nameless";
            }
            String shown = name.isEmpty() ? "(empty)" : name;
            return shown + (next == null ? "" : " -> " + next) + (count != 0 ? "#" + count : "");
        }
    }

    static class Built {
        final String left;
        final Object right;
        final char[] unused = {'a'};

        Built(String left, Object right) {
            this.left = left;
            this.right = right;
        }

        @Override public String toString() {
            StringBuilder made = new StringBuilder("Built{");
            made.append("left=").append(left).append(", right=").append(right).append('}');
            made.append(1).append(2L).append(1.5f).append(true);
            return made.toString();
        }
    }

    static class Listed {
        final int number;
        final String text;

        Listed(int number, String text) {
            this.number = number;
            this.text = text;
        }

        @Override public String toString() {
            return new StringJoiner(", ", Listed.class.getSimpleName() + "[", "]")
                .add("number=" + number).add("text='" + text + "'").toString();
        }
    }

    static class Converted {
        final int number = -5;
        final Integer boxed = 9;
        final Object none = null;
        final String text = "t";

        @Override public String toString() {
            return String.valueOf(number) + Integer.toString(number) + boxed.intValue() + boxed.toString()
                + Objects.toString(none, "nothing") + Objects.toString(text) + String.valueOf(none)
                + text.concat("!") + text.length() + Long.valueOf(3) + text.toString();
        }
    }

    record Pair(int left, String right) {}

    record Empty() {}

    record Shown(Pair pair, Color color) {
        @Override public String toString() {
            return "shown " + pair + " " + color + " " + pair.left() + pair().right() + new Empty[0].length;
        }
    }

    record Titled(Pair pair, Color color, Empty empty, double price) {
        @Override public String toString() {
            return pair + "/" + color + "/" + color.name() + color.ordinal() + "/" + empty + "/" + price;
        }
    }

    enum Color { RED, GREEN }

    enum Size {
        SMALL("s"), LARGE("l") {
            @Override public String toString() {
                return "very " + super.toString();
            }
        };

        final String letter;

        Size(String letter) {
            this.letter = letter;
        }

        @Override public String toString() {
            return "size " + letter + " " + super.toString();
        }
    }

    interface Identified<T> {
        T id();
    }

    static class Thing implements Identified<String> {
        Identified<?> other;

        @Override public String id() {
            return "thing";
        }

        @Override public String toString() {
            return "Thing " + (other == null ? "alone" : other.id());
        }
    }

    class Inner {
        @Override public String toString() {
            return "Inner of " + title;
        }
    }

    final String title = "outer";

    // --- these have no such text ------------------------------------------------------------------

    static class Formatted {
        @Override public String toString() {
            return String.format("%d", 3);
        }
    }

    static class Looping {
        int count = 3;

        @Override public String toString() {
            String made = "";
            for (int at = 0; at < count; at++) {
                made += at;
            }
            return made;
        }
    }

    static class Arrayed {
        final int[] numbers = {1};

        @Override public String toString() {
            return "Arrayed " + numbers;
        }
    }

    static class Hashed {
        final Object any = new Object();

        @Override public String toString() {
            return "Hashed " + any;
        }
    }

    static class Counting {
        static int calls;

        @Override public String toString() {
            return "Counting " + ++calls;
        }
    }

    static class Held {
        final List<String> held = new ArrayList<>(List.of("a"));

        @Override public String toString() {
            return "Held " + held;
        }
    }

    static class Long10k {
        final String text = "x".repeat(20_000);

        @Override public String toString() {
            return "long " + text;
        }
    }

    static class Circle {
        Circle other;

        @Override public String toString() {
            return "circle " + other;
        }
    }

    static class Named2 {
        final String text = null;

        @Override public String toString() {
            return "fails " + text.length();
        }
    }

    public static void main(String[] args) {
        Thing thing = new Thing();
        thing.other = new Thing();
        Object[] joined = {
            new Numbers(true, 100, 'x', Long.MIN_VALUE, 0.1f, 2.0e-3),
            new Numbers(false, -129, '\n', 42, 1.0e10f, 8.41e21),
            new Numbers(false, 70000, '\ud83d', -1, Float.NaN, Double.NEGATIVE_INFINITY),
            new Numbers(true, 0, '\0', 0, 3.4028235e38f, 4.9e-324),
            new Numbers(true, 0, '"', 0, 9.6714065e24f, 1.0e23),
            new Numbers(true, 0, '"', 0, -0.0f, 123456789.125),
            new Boxes(true, 'c', 5, 6L, 2.5f, 1e-5),
            new Boxes(null, null, null, null, null, null),
            new Text("plain", null), new Text(null, new Text("inner", 5)), new Text("", "any"),
            new Text("\ud83d", "\ude00\u202e\r\n"), new Text("color", Color.RED),
            new Below("below"), new First(), new Second$Third(),
            new Chosen(null, 1, null), new Chosen(null, 2, null), new Chosen("", 0, null),
            new Chosen("a", 1, new Chosen("b", -2, null)),
            new Built("l", new Listed(1, null)), new Built(null, null), new Listed(-1, "joined"),
            new Converted(), new Titled(new Pair(1, "r"), Color.GREEN, new Empty(), 1.10),
            Size.SMALL, Size.LARGE, thing, new Joined().new Inner(),
            new Text("record", new Pair(-1, null)), new Text("enum", Size.LARGE),
            new Numbers(false, 1, 'a', 1, 1.17549435e-38f, 2.2250738585072014e-308),
        };
        Circle circle = new Circle();
        circle.other = circle;
        Object[] others = {
            new Formatted(), new Looping(), new Arrayed(), new Hashed(), new Counting(), new Held(),
            new Long10k(), circle, new Named2(), new Shown(new Pair(1, ""), Color.RED), new Object(),
            new Text("a", new Formatted()), new Text("a", Thread.currentThread()),
            new Text("a", String.class), new Text("a", new int[0]), new Pair(1, "p"), Color.RED,
        };
        String[] texts = new String[joined.length];
        for (int at = 0; at < joined.length; at++) {
            texts[at] = joined[at].toString();
        }
        Text first = new Text("one", 1);
        Listed second = new Listed(2, "two");
        Built third = new Built("three", second);
        Titled fourth = new Titled(new Pair(1, "r"), Color.GREEN, new Empty(), 1.10);
        Formatted fifth = new Formatted();
        few(first, second, third, fourth, fifth);
        few(first, second, third, fourth, fifth);
        show(joined, others, texts);
    }

    static void few(Text first, Listed second, Built third, Titled fourth, Formatted fifth) {
        System.out.println(first); // @few
    }

    static void show(Object[] joined, Object[] others, String[] texts) {
        int shown = Counting.calls; // @shown
        System.out.println(shown);
    }
}
