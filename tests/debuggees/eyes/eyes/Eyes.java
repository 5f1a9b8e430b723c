// SPDX-License-Identifier: Apache-2.0
package eyes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Sees the code that the VM runs, through a JVM TI environment of its own (eyes.c). */
public final class Eyes {
    private static final long MOST_MS = 60_000;
    private static Eyes opened;

    private final Class<?>[] classes;
    private final byte[][][] before;
    private final byte[][] pools;

    public Eyes(Class<?>... classes) throws ClassNotFoundException {
        System.loadLibrary("eyes");
        for (Class<?> each : classes) {
            Class.forName(each.getName(), true, each.getClassLoader()); // links it
        }
        this.classes = classes;
        this.before = codes();
        this.pools = pools();
    }

    private Eyes(String prefix) {
        System.loadLibrary("eyes");
        this.classes = Arrays.stream(loaded())
                .filter(each -> each != null && each.getName().startsWith(prefix) && each.getName().indexOf('/') < 0)
                .toArray(Class<?>[]::new);
        this.before = codes();
        this.pools = pools();
    }

    /** For a program with a file and the beginning of names as arguments: looks at these classes. */
    public static void open(String[] args) {
        if (args.length > 0) {
            opened = new Eyes(args[1]);
        }
    }

    /** Waits until they are as they were, and writes into the file which are not. */
    public static void close(String[] args) throws InterruptedException, IOException {
        if (args.length == 0) {
            return;
        }
        atEnd();
        long end = System.nanoTime() + MOST_MS * 1_000_000;
        String changed = opened.changed();
        while (!changed.isEmpty() && System.nanoTime() < end) {
            Thread.sleep(50);
            changed = opened.changed();
        }
        Files.writeString(Path.of(args[0]), opened.classes.length + " classes, changed: " + changed);
    }

    private static void atEnd() {}

    private byte[][][] codes() {
        byte[][][] codes = new byte[classes.length][][];
        for (int number = 0; number < classes.length; number++) {
            codes[number] = code(classes[number]);
        }
        return codes;
    }

    /** The classes whose methods are not what they were at the start. */
    public String changed() {
        StringBuilder changed = new StringBuilder();
        byte[][][] now = codes();
        for (int number = 0; number < classes.length; number++) {
            if (!isSame(number, now[number])) {
                changed.append(classes[number].getName()).append(' ');
            }
        }
        return changed.toString();
    }

    /** The VM may give a constant another index when it takes the code of a class anew. */
    private boolean isSame(int number, byte[][] now) {
        if (Arrays.deepEquals(before[number], now)) {
            return true;
        }
        byte[] pool = pool(classes[number]);
        for (int method = 0; method < now.length; method++) {
            if (!Code.text(before[number][method], pools[number]).equals(Code.text(now[method], pool))) {
                return false;
            }
        }
        return true;
    }

    private byte[][] pools() {
        byte[][] pools = new byte[classes.length][];
        for (int number = 0; number < classes.length; number++) {
            pools[number] = pool(classes[number]);
        }
        return pools;
    }

    private static native byte[] pool(Class<?> type);

    private static native Class<?>[] loaded();

    private static native byte[][] code(Class<?> type);
}
