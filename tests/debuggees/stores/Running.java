// SPDX-License-Identifier: Apache-2.0
// Stores into two arrays until it is ended.
public class Running {
    static final long[] WATCHED = new long[4];
    static final long[] OTHER = new long[4];
    static long passes;

    static void put(long[] array, int index, long value) {
        array[index] = value; // @running-put
    }

    static void pass() {
        passes++; // @running-pass
        put(OTHER, (int) (passes % 4), passes);
        if (passes % 50 == 0) {
            put(WATCHED, (int) (passes / 50 % 4), passes);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        System.out.println("running");
        while (true) {
            pass();
            Thread.sleep(1);
        }
    }
}
