// SPDX-License-Identifier: Apache-2.0
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Lines that log points write by themselves: values of all kinds, many threads, many hits. */
public final class LogLines {
    static final class Order {
        private final String name;
        private final int number;
        final int plain;

        Order(String name, int number) {
            this.name = name;
            this.number = number;
            this.plain = number;
        }

        private String name() {
            return name;
        }

        int number() {
            return number;
        }
    }

    private static final double[] DOUBLES = {
        0.0, -0.0, 1.0, 0.1, 1e-3, 9.99e-4, 1e7, 9999999.5, 1.5e300, 4.9e-324, 2e-3, 1.0 / 3, -123456.789,
        Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MAX_VALUE, 123, 2e22, 1e23
    };
    private static final String[] TEXTS = {
        "plain", "", null, "two\nlines\tand \u001b[31m", "\u00e9t\u00e9 \u4e2d", "\ud83d\ude00 and half \ud83d", "\u202eturned",
        "quote \" back \\ brace {", "\u0000nul", "0123456789".repeat(200), "\u0001\u007f\u00a0\u2028"
    };
    private static final char[] LETTERS = {'a', '\'', '"', '\\', '\n', '\u0000', '\u00e9', '\ud83d', '\u202e', '~', ' '};

    private final int limit = 7;

    private int look(int i, Object any) {
        boolean even = i % 2 == 0;
        byte tiny = (byte) (i * 37);
        short middle = (short) (i * 4001);
        char letter = LETTERS[i % LETTERS.length];
        long wide = Long.MAX_VALUE / (i + 1) * (even ? 1 : -1);
        double real = DOUBLES[i % DOUBLES.length];
        float small = (float) real;
        String text = TEXTS[i % TEXTS.length];
        Integer boxed = i % 3 == 0 ? null : i;
        Character boxedLetter = i % 4 == 0 ? null : letter;
        Double boxedReal = i % 5 == 0 ? null : real;
        Boolean boxedEven = even;
        Long boxedWide = wide;
        Float boxedSmall = small;
        Byte boxedTiny = tiny;
        Short boxedMiddle = middle;
        Order order = i % 6 == 5 ? null : new Order(text, i);
        return i + tiny + middle; // @look
    }

    static int hot(int from, int to) {
        int total = 0;
        for (int i = from; i < to; i++) {
            total += i; // @hot
        }
        return total;
    }

    static void work(int times) {
        for (int done = 0; done < times; done += 1000) {
            hot(done, Math.min(times, done + 1000));
        }
    }

    static int pair(int n) {
        int total = 0;
        for (int i = 0; i < n; i++) {
            total += i; // @first
            total ^= i; // @second
        }
        return total;
    }

    static void threads(int count, int each) throws InterruptedException {
        List<Thread> all = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            Thread thread = new Thread(() -> work(each), "writer-" + number);
            thread.start();
            all.add(thread);
        }
        for (Thread thread : all) {
            thread.join();
        }
    }

    private static volatile boolean isLeft;

    /** One frame, until the debugger has left, and a while longer. */
    static long stay() {
        long total = 0;
        for (int alone = 0; alone < 3; alone += isLeft ? 1 : 0) {
            for (int i = 0; i < 1_000_000; i++) {
                total += i; // @stays
            }
        }
        return total;
    }

    /** Until a file says that the debugger has left; another one says that all went on. */
    static void waitFor(Path folder) throws Exception {
        Thread staying = new Thread(LogLines::stay, "staying");
        staying.start();
        while (!Files.exists(folder.resolve("left"))) {
            work(100_000);
        }
        isLeft = true;
        staying.join();
        work(100_000);
        Files.createFile(folder.resolve("done"));
    }

    public static void main(String[] args) throws Exception {
        int times = args.length > 0 ? Integer.parseInt(args[0]) : 1000;
        int workers = args.length > 1 ? Integer.parseInt(args[1]) : 0;
        LogLines lines = new LogLines();
        if (new Order("loaded", 1).number() < 0) { // @before
            return;
        }
        Object loaded = workers; // @loaded
        for (int i = 0; i < 44; i++) {
            lines.look(i, i % 2 == 0 ? "any" : (Object) i);
        }
        System.out.println(pair(50)); // @ready
        AtomicLong counter = new AtomicLong();
        for (int i = 0; i < 5; i++) {
            counter.incrementAndGet();
        }
        System.out.println("counted " + counter);
        long begun = System.nanoTime();
        work(times);
        threads(workers, times);
        if (args.length > 2) {
            waitFor(Path.of(args[2]));
        }
        System.out.println("took " + (System.nanoTime() - begun)); // @end
    }
}
