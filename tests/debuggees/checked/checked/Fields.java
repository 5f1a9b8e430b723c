// SPDX-License-Identifier: Apache-2.0
package checked;

/** Fields of every type: what was stored is what is read. */
final class Fields {
    boolean truth;
    byte small;
    char letter;
    short shorter;
    int number;
    long longer;
    float real;
    double exact;
    Object any;
    volatile int shared;

    int pass(int n) {
        truth = (n & 1) == 1;
        small = (byte) n;
        letter = (char) n;
        shorter = (short) n;
        number = n;
        longer = (long) n << 20;
        real = n & 0xffff;
        exact = n * 0.5;
        any = n;
        shared = n;
        number += 3;
        number -= 3;
        longer++;
        longer--;
        if (truth != ((n & 1) == 1) || small != (byte) n || letter != (char) n || shorter != (short) n) {
            return -1;
        }
        if (number != n || longer != (long) n << 20 || real != (n & 0xffff) || exact != n * 0.5) {
            return -2;
        }
        return any.equals(n) && shared == n ? number : -3;
    }
}
