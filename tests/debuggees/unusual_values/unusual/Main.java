// SPDX-License-Identifier: Apache-2.0
package unusual;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.ref.WeakReference;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** What a debugger must show without a mistake, without a hang and without running anything. */
public class Main {
    private static final int HUGE = 20_000_000;

    static class Top {
        int same = 1;
        private String name = "top";
    }

    static class Middle extends Top {
        int same = 2;
        protected Object name;
    }

    static class Bottom extends Middle {
        int same = 3;
        Bottom self = this;
        Object nothing;
    }

    /** Its constructor runs before that of its own class has begun. */
    static class Early extends Top {
        final int late = 7;
        final List<String> made = new ArrayList<>(List.of("made"));

        Early(int number) {
            super();
            same = number;
        }

        Early() {
            this(first());
        }

        static int first() {
            return 5; // @early
        }
    }

    /** Stops while the collection that it belongs to is being read. */
    static class Slow implements Serializable, Comparable<Slow> {
        private static final long serialVersionUID = 1;

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject(); // @reading
        }

        @Override
        public int compareTo(Slow other) {
            return 0;
        }
    }

    int größe = 1;
    String 変数 = "v";

    public static void main(String[] blanks) throws Exception {
        Thread sleeper = new Thread(Main::sleep, "sleeper");
        sleeper.setDaemon(true);
        sleeper.start();
        new Early();
        read();
        grow();
        new Main().show(blanks);
    }

    private static void sleep() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException over) {
            return;
        }
    }

    private static void read() throws Exception {
        TreeMap<Slow, String> sorted = new TreeMap<>();
        sorted.put(new Slow(), "");
        Object[] collections = {
            new ArrayList<>(Arrays.asList(1, new Slow(), 2)),
            new HashMap<>(Map.of(new Slow(), 1)),
            new ArrayDeque<>(List.of(new Slow())),
            new LinkedList<>(List.of(new Slow())),
            new PriorityQueue<>(List.of(new Slow())),
            new LinkedHashMap<>(Map.of("key", new Slow())),
            new ConcurrentHashMap<>(Map.of("key", new Slow())),
            sorted,
        };
        for (Object each : collections) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (ObjectOutputStream objects = new ObjectOutputStream(out)) {
                objects.writeObject(each);
            }
            byte[] content = out.toByteArray();
            new ObjectInputStream(new ByteArrayInputStream(content)).readObject();
        }
    }

    private static void grow() {
        Map<Object, Object> plain = new HashMap<>();
        Map<Object, Object> concurrent = new ConcurrentHashMap<>();
        for (int each = 0; each < 12; each++) {
            plain.put(each * 5, "v" + each);
        }
        for (int each = 0; each < 11; each++) {
            concurrent.put(each * 7, "v" + each);
        }
        System.out.println("full"); // @full
        plain.put(1000, "last");
        concurrent.put(1000, "last");
        System.out.println(plain.size() + concurrent.size());
    }

    void show(String... blanks) throws Exception {
        String[] names = IntStream.range(0, 1000).mapToObj(at -> "f" + at).toArray(String[]::new);
        Object wide = Made.with("Wide", names);
        Object strange = Made.with("Strange", "a b", "class", "1x", "<i>", "gr\u00f6\u00dfe", "$", "a-b", "this");
        List<Object> unmade = Blank.all(blanks);
        Bottom bottom = new Bottom();
        Object[] ring = {null, "ring"};
        ring[0] = ring;
        List<Object> itself = new ArrayList<>(List.of("first"));
        itself.add(itself);
        Map<Object, Object> mapped = new HashMap<>();
        mapped.put("me", mapped);
        Throwable thrown = new IllegalStateException("loop");
        thrown.addSuppressed(new RuntimeException(thrown));
        int[][] jagged = {{1}, {}, null, {1, 2, 3}};
        Object[][][] deep = {{{1, "x"}, null}, {}};
        char[] letters = {'\ud800', '\u202e', '\0', '\'', '"', '\\', '\u00a0', '\u2028', '\u007f'};
        String lone = "\ud800x\udc00";
        String turned = "abc\u202ecba\u2066\u200b";
        String faces = "\ud83d\ude00".repeat(300);
        String lines = "one\r\ntwo\u2028three\u0085";
        double[] odd = {Double.NaN, -0.0, 1 / 0.0, -1 / 0.0, Double.MIN_VALUE};
        String huge = "x".repeat(HUGE);
        String wideHuge = "\u20ac".repeat(HUGE / 2);
        StringBuilder builder = new StringBuilder(huge);
        BigInteger number = BigInteger.ONE.shiftLeft(10_000_000);
        Map<String, Integer> byHuge = new HashMap<>();
        byHuge.put(huge, 1);
        Throwable longMessage = new IllegalArgumentException(huge);
        byte[] bytes = new byte[HUGE];
        WeakReference<Object> weak = new WeakReference<>(new Object());
        Runnable local = () -> System.out.println(größe + 変数 + bottom.same);
        System.out.println(List.of(jagged, deep, letters, odd, local, weak).size() + "shown"); // @shown
        System.out.println(lone.length() + turned.length() + faces.length() + lines.length());
        System.out.println(wideHuge.length() + builder.length() + number.bitLength() + byHuge.size());
        System.out.println(longMessage.hashCode() + bytes.length + itself.size() + mapped.size());
        System.out.println(wide.hashCode() + strange.hashCode() + unmade.size() + ring.length);
        System.out.println(thrown.hashCode());
    }
}
