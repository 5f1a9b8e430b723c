// SPDX-License-Identifier: Apache-2.0
package oracle;

/** Does a workload once, and prints what it writes. */
public final class Once {
    private Once() {}

    public static void main(String[] args) throws Exception {
        Workload work = (Workload) Class.forName(args[0]).getDeclaredConstructor().newInstance();
        work.round(System.out);
        if (work instanceof AutoCloseable) {
            ((AutoCloseable) work).close();
        }
        System.exit(0);
    }
}
