// SPDX-License-Identifier: Apache-2.0
package checked;

import java.io.PrintStream;

/** Stack traces: the same lines each time. */
final class Traces {
    private Traces() {}

    static void print(PrintStream out) {
        for (int depth = 0; depth < 3; ++depth) {
            try {
                deeper(depth);
            } catch (IllegalStateException error) {
                error.printStackTrace(out);
            }
        }
    }

    private static void deeper(int depth) {
        if (depth == 0) {
            Runnable thrower = () -> {
                throw new IllegalStateException("thrown",
                        new RuntimeException("inner"));
            };
            thrower.run();
        }
        deeper(depth - 1);
    }
}
