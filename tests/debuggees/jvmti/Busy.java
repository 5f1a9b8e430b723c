// SPDX-License-Identifier: Apache-2.0
import java.io.FileInputStream;
import java.io.IOException;

/** Compiles, reads files through JNI, and comes by a line again and again. */
public final class Busy {
    static long sum;

    private static long answer() {
        return wrapped_answer();
    }

    /** A library has it as `answer`: found only while an agent has set the prefix. */
    private static native long wrapped_answer();

    private static int work(int count) {
        int found = 0;
        for (int number = 0; number < count; number++) {
            found += half(number) % 7;
        }
        return found;
    }

    private static int half(int number) {
        return number / 2;
    }

    private static int read(String path) throws IOException {
        try (FileInputStream file = new FileInputStream(path)) {
            return file.read();
        }
    }

    public static void main(String[] arguments) throws Exception {
        String path = Busy.class.getResource("Busy.class").getPath();
        while (true) {
            sum += work(50_000);
            sum += read(path); // @turn
            Thread.sleep(2);
        }
    }
}
