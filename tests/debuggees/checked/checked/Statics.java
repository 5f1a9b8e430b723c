// SPDX-License-Identifier: Apache-2.0
package checked;

/** Static fields; each thread has an object of its own in them. */
final class Statics {
    private static final ThreadLocal<int[]> OWN = ThreadLocal.withInitial(() -> new int[1]);
    static volatile long last;
    static int sometimes;
    static String word = "word";

    private Statics() {}

    static int pass(int n) {
        OWN.get()[0] = n;
        last = n;
        sometimes = n;
        word = "word" + (n & 7);
        if (!word.startsWith("word") || word.length() != 5) {
            return -1;
        }
        return OWN.get()[0];
    }
}
