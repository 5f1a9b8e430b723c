// SPDX-License-Identifier: Apache-2.0
package checked;

/** Elements of every type. */
final class Arrays {
    private Arrays() {}

    static int pass(int n) {
        boolean[] truths = new boolean[4];
        byte[] bytes = new byte[4];
        char[] letters = new char[4];
        short[] shorts = new short[4];
        int[] numbers = new int[4];
        long[] longs = new long[4];
        float[] reals = new float[4];
        double[] exacts = new double[4];
        Object[] all = new Object[4];
        int[][] square = new int[2][3];
        int at = n & 3;
        truths[at] = true;
        bytes[at] = (byte) n;
        letters[at] = (char) n;
        shorts[at] = (short) n;
        numbers[at] = n;
        longs[at] = n;
        reals[at] = at;
        exacts[at] = n;
        all[at] = numbers;
        square[1][2] = n;
        numbers[at]++;
        numbers[at]--;
        if (!truths[at] || bytes[at] != (byte) n || letters[at] != (char) n || shorts[at] != (short) n) {
            return -1;
        }
        if (longs[at] != n || reals[at] != at || exacts[at] != n || all[at] != numbers || square[1][2] != n) {
            return -2;
        }
        return numbers[at];
    }
}
