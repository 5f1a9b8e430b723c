// SPDX-License-Identifier: Apache-2.0
package churn;

import java.util.Arrays;

/** Sees the code that the VM runs, through a JVM TI environment of its own (eyes.c). */
final class Eyes {
    private final Class<?>[] classes;
    private final byte[][][] before;

    Eyes(Class<?>... classes) throws ClassNotFoundException {
        System.loadLibrary("eyes");
        for (Class<?> each : classes) {
            Class.forName(each.getName(), true, each.getClassLoader()); // links it
        }
        this.classes = classes;
        this.before = codes();
    }

    private byte[][][] codes() {
        byte[][][] codes = new byte[classes.length][][];
        for (int number = 0; number < classes.length; number++) {
            codes[number] = code(classes[number]);
        }
        return codes;
    }

    /** The classes whose methods are not what they were at the start. */
    String changed() {
        StringBuilder changed = new StringBuilder();
        byte[][][] now = codes();
        for (int number = 0; number < classes.length; number++) {
            if (!Arrays.deepEquals(before[number], now[number])) {
                changed.append(classes[number].getName()).append(' ');
            }
        }
        return changed.toString();
    }

    private static native byte[][] code(Class<?> type);
}
