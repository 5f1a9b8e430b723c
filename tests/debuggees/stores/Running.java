// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.TimeUnit;

// Stores into arrays until it is ended.
public class Running {
    static final long[] WATCHED = new long[4];
    static final long[] OTHER = new long[4];
    static final int[] COUNTS = new int[2];
    static long passes;

    // javac keeps the cases in an array, which a class without a table of variables fills.
    static int counted(TimeUnit unit) {
        switch (unit) {
            case NANOSECONDS:
                return 0;
            case MICROSECONDS:
                return 1;
            default:
                throw new AssertionError();
        }
    }

    static void put(long[] array, int index, long value) {
        array[index] = value; // @running-put
    }

    static void pass() {
        passes++; // @running-pass
        COUNTS[counted(TimeUnit.values()[(int) (passes % 2)])]++;
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
