// SPDX-License-Identifier: Apache-2.0
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.netbeans.lib.profiler.heap.Heap;
import org.netbeans.lib.profiler.heap.HeapFactory;
import org.netbeans.lib.profiler.heap.Instance;
import org.netbeans.lib.profiler.heap.JavaClass;

/** What our reader is asked, asked of VisualVM's: prints seconds, and MB. */
public final class BiggestObjects {
    private static long begin = System.nanoTime();

    private BiggestObjects() {}

    public static void main(String[] arguments) throws Exception {
        Heap heap = HeapFactory.createHeap(new File(arguments[0]));
        took("open");
        long instances = 0;
        for (Object type : heap.getAllClasses()) {
            instances += ((JavaClass) type).getInstancesCount();
        }
        took("histogram");
        List<?> biggest = heap.getBiggestObjectsByRetainedSize(20);
        took("dominators, retained sizes");
        for (Object each : biggest.subList(0, 3)) {
            ((Instance) each).getNearestGCRootPointer();
        }
        took("paths of three objects");
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmHWM:")) {
                System.out.println("memory " + Long.parseLong(line.split("\\s+")[1]) / 1024);
            }
        }
    }

    private static void took(String what) {
        long now = System.nanoTime();
        System.out.println(what + " " + (now - begin) / 1e9);
        begin = now;
    }
}
