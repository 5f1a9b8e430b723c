// SPDX-License-Identifier: Apache-2.0
package precise;

import static expect.Expect.is;
import static expect.Expect.stop;

/** Numbers to the last bit, and constants that narrow. */
final class Exact {
    private static final int FITS = 5;
    private static byte by;

    private Exact() {}

    static void visit() {
        is(1.00000017881393421514957253748434595763683319091796875001f);
        is(1.00000017881393432617187500f);
        is(1.00000017881393432617187499f);
        is(8388609.500000000000000000001f);
        is(0.1f);
        is(16777217.00000000000000000000001f);
        is(0x1.000001000000000000001p0f);
        is(1.17549435E-38f);
        is(1.4e-45f);
        is(3.4028235e38f);
        is(7.0064923216240853546186479164495807e-46f);
        is(by = FITS);
        stop(); // @exact
    }
}
