// SPDX-License-Identifier: Apache-2.0
package oracle;

import java.io.PrintStream;

/** Work that is done again and again and writes the same each time. */
public interface Workload {
    /** Do it once; an exception is part of what it writes. */
    void round(PrintStream out) throws Exception;
}
