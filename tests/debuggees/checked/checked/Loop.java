// SPDX-License-Identifier: Apache-2.0
package checked;

/** Loops that are compiled while they run. */
final class Loop {
    private Loop() {}

    static int pass(int n) {
        int most = (n & 63) == 0 ? 60_000 : 40;
        long sum = 0;
        double real = 0;
        int last = n;
        for (int at = 1; at <= most; ++at) {
            sum += at;
            real += at;
            last ^= at;
            last ^= at;
        }
        long right = (long) most * (most + 1) / 2;
        return sum == right && real == right ? last : -1;
    }
}
