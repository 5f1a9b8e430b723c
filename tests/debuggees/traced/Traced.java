// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;

/** Calls with arguments and results of each kind, and methods that are called all the time. */
public final class Traced {
    enum Colour {
        RED,
        GREEN
    }

    static final int SECRET;

    static {
        SECRET = Integer.getInteger("secret", 7);
    }

    static volatile boolean goOn = true;
    static volatile long sink;

    private final int id;

    Traced(int id) {
        this.id = id;
    }

    public static void main(String[] args) throws Exception {
        if (args.length > 0 && args[0].equals("hot")) {
            hot(Integer.parseInt(args[1]));
        } else {
            kinds();
            flow();
        }
        System.out.println("done"); // @done
    }

    static void kinds() {
        numbers((byte) -1, (short) 300, 'ä', 70_000, 1L << 40, 1.5f, -2.25, true);
        boxes((byte) 1, 'x', 5, 6L, 0.5f, 2.5, false);
        objects(Colour.GREEN, new int[] {1, 2, 3}, new String[2], null, "text");
        flag(true);
        letter('q');
        wide(2.5);
        floating(0.25f);
        colour(1);
        new Traced(3).id();
    }

    static long numbers(byte b, short s, char c, int i, long l, float f, double d, boolean z) {
        return z ? b + s + c + i + l + (long) (f + d) : 0;
    }

    static Integer boxes(Byte b, Character c, Integer i, Long l, Float f, Double d, Boolean z) {
        return z ? b + c : i;
    }

    static int[] objects(Colour colour, int[] numbers, String[] texts, Object nothing, Object text) {
        return numbers;
    }

    static boolean flag(boolean on) {
        return !on;
    }

    static char letter(char c) {
        return (char) (c + 1);
    }

    static double wide(double of) {
        return of * 2;
    }

    static float floating(float of) {
        return of * 2;
    }

    static Colour colour(int at) {
        return Colour.values()[at];
    }

    int id() {
        return id;
    }

    static void flow() {
        fibonacci(4);
        for (int i = 0; i < 3; i++) {
            try {
                fails(i);
            } catch (IllegalStateException expected) {
                sink++;
            }
        }
        Later.touch();
    }

    static int fibonacci(int n) {
        return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }

    static int fails(int n) {
        if (n == 1) {
            throw new IllegalStateException("at " + n);
        }
        return n;
    }

    /** Not loaded when the trace begins. */
    static final class Later {
        static final List<String> MADE = new ArrayList<>();

        static {
            MADE.add("one");
        }

        static int touch() {
            return MADE.size();
        }
    }

    static void hot(int threads) throws Exception {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread each = new Thread(Traced::spin, "hot-" + i);
            each.start();
            all.add(each);
        }
        System.out.println("hot"); // @hot
        for (Thread each : all) {
            each.join();
        }
    }

    /** Never left before the end, and calls `step` all the time. */
    static void spin() {
        int at = 0;
        while (goOn) {
            at = step(at);
            sink = at;
        }
    }

    static int step(int at) {
        return at + 1;
    }
}
