// SPDX-License-Identifier: Apache-2.0
package busy;

/**
 * Whatever is done to it is right: fields and variables of every type that may be set, methods of
 * every type that may be called, popped and made to return early.
 */
public class Scratch implements Runnable, Grunting {
    static boolean staticZ;
    static byte staticB;
    static char staticC;
    static short staticS;
    static int staticI;
    static long staticJ;
    static float staticF;
    static double staticD;
    static String staticName = "scratch";
    static Scratch staticScratch;
    static final Object LOCK = new Object();

    boolean fieldZ;
    byte fieldB;
    char fieldC;
    short fieldS;
    int fieldI;
    long fieldJ;
    float fieldF;
    double fieldD;
    String name;
    Scratch friend;
    int[] numbers = {1, 2, 3};
    long[] longs = new long[5];
    Object[] things = new Object[4];
    String[] names = {"a", null};

    public Scratch(int number) {
        fieldI = number;
        name = "scratch " + number;
        staticScratch = this;
    }

    @Override
    public void run() {
        for (long round = 0; ; ++round) {
            try {
                use((int) round);
            } catch (Throwable whatever) {
                // Stopped, interrupted, popped, or with a null where none was: it goes on.
                Thread.interrupted();
            }
        }
    }

    void use(int round) throws InterruptedException {
        int count = round % 7;
        long total = (long) count * 3;
        float rate = count / 2f;
        double price = total / 3d;
        String text = name;
        Scratch other = friend == null ? this : friend;
        int[] some = numbers.clone();
        friend = isOdd(count) ? other : this; // @use
        fieldJ = total + half(count) + (some.length > 0 ? some[0] : 0);
        fieldF = rate + third(rate);
        fieldD = price + tenth(price);
        name = grow(text, count);
        things[count % things.length] = other.twin();
        fieldB = (byte) (letter(count) + little(count) + middle(count));
        staticI = grunt() + Grunting.loud();
        rest(count);
    }

    static boolean isOdd(int value) {
        return value % 2 != 0;
    }

    static long half(long value) {
        return value / 2;
    }

    static float third(float value) {
        return value / 3;
    }

    static double tenth(double value) {
        return value / 10;
    }

    static char letter(int value) {
        return (char) ('a' + value);
    }

    static byte little(int value) {
        return (byte) value;
    }

    static short middle(int value) {
        return (short) (value * 100);
    }

    String grow(String text, int count) {
        return text == null || text.length() > 20 ? "scratch" : text + count; // @grow
    }

    Scratch twin() {
        return new Scratch(fieldI);
    }

    int[] copyOf(int[] given) {
        return given == null ? null : given.clone();
    }

    void fail() {
        throw new IllegalArgumentException("as asked");
    }

    void rest(int count) throws InterruptedException {
        synchronized (LOCK) {
            if (count == 3) {
                LOCK.wait(1);
            }
        }
    }
}
