// SPDX-License-Identifier: Apache-2.0
// Threads that store into arrays of their own, and one array that is watched.
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

public class Stores {
    static final int THREADS = 6;
    static final int ROUNDS = 20_000;
    static volatile boolean ends;

    static void put(int[] array, int index, int value) {
        array[index] = value; // @put
    }

    static void alone(int[] own, int[] shared, int thread) {
        for (int i = 0; i < ROUNDS; i++) {
            put(own, i % own.length, i);
            if (i % 5_000 == 100) {
                put(shared, thread, i);
            }
        }
    }

    static int loop(int[] array) {
        int passes = 0;
        for (int i = 0; i < 6; i++) {
            passes++; // @loop
            array[i % 2] = i; // @stored
        }
        return passes;
    }

    static void kinds(
            byte[] bytes, boolean[] flags, char[] chars, short[] shorts, long[] longs,
            float[] floats, double[] doubles, String[] texts, Object[][] tables) {
        bytes[1] = (byte) 300;
        flags[1] = true;
        chars[1] = 'x';
        shorts[1] = -7;
        longs[1] = 1L << 40;
        floats[1] = 2.5f;
        doubles[1] = -0.125;
        texts[1] = "new";
        tables[1] = new Object[] {"other"};
    }

    static void refused(Object[] texts) {
        try {
            texts[1] = 7; // of Strings
        } catch (ArrayStoreException expected) {
            texts[1] = "after";
        }
        try {
            texts[9] = "outside";
        } catch (ArrayIndexOutOfBoundsException expected) {
            texts[0] = "end";
        }
    }

    static boolean isCollected(WeakReference<int[]> array) {
        List<byte[]> filled = new ArrayList<>();
        for (int i = 0; i < 50 && array.get() != null; i++) {
            filled.add(new byte[1 << 16]);
            System.gc();
        }
        return array.get() == null;
    }

    public static void main(String[] arguments) throws InterruptedException {
        int[] prices = new int[THREADS];
        int[] others = new int[THREADS];
        put(others, 0, 1);
        others[0] = 2; // @ready
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            threads[i] = new Thread(() -> alone(new int[3], prices, number), "own-" + i);
            threads[i].start();
        }
        for (Thread each : threads) {
            each.join();
        }
        loop(others); // @joined
        loop(prices);
        new Later().store(prices); // @later
        Arrays.fill(prices, 9);
        byte[] bytes = new byte[2];
        boolean[] flags = new boolean[2];
        char[] chars = new char[2];
        short[] shorts = new short[2];
        long[] longs = new long[2];
        float[] floats = new float[2];
        double[] doubles = new double[2];
        String[] texts = {"a", "old"};
        Object[][] tables = new Object[2][];
        kinds(bytes, flags, chars, shorts, longs, floats, doubles, texts, tables); // @kinds
        refused(texts); // @refused
        int[] dropped = new int[2];
        WeakReference<int[]> weak = new WeakReference<>(dropped);
        put(dropped, 0, 1); // @dropped
        put(dropped, 1, 1);
        dropped = null;
        boolean collected = isCollected(weak); // @gone
        System.out.println("collected " + collected + " " + prices[0]); // @end
    }

    static class Later {
        void store(int[] array) {
            array[0] += 1;
            array[1]--;
        }
    }
}
