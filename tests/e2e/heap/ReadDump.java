// SPDX-License-Identifier: Apache-2.0
import java.io.File;
import java.util.List;
import org.netbeans.lib.profiler.heap.GCRoot;
import org.netbeans.lib.profiler.heap.Heap;
import org.netbeans.lib.profiler.heap.HeapFactory;
import org.netbeans.lib.profiler.heap.Instance;
import org.netbeans.lib.profiler.heap.JavaClass;
import org.netbeans.lib.profiler.heap.PrimitiveArrayInstance;

/** Reads a heap dump with the library of VisualVM, and prints what the tests look for. */
public final class ReadDump {
    public static void main(String[] arguments) throws Exception {
        Heap heap = HeapFactory.createHeap(new File(arguments[0]));
        JavaClass sessions = heap.getJavaClassByName("Leak$Session");
        JavaClass admins = heap.getJavaClassByName("Leak$AdminSession");
        System.out.println("sessions " + sessions.getInstancesCount());
        System.out.println("superclass " + admins.getSuperClass().getName());
        Instance admin = (Instance) admins.getInstances().get(0);
        System.out.println("user " + text((Instance) admin.getValueOfField("user")));
        Object buffer = admin.getValueOfField("buffer");
        System.out.println("buffer " + ((PrimitiveArrayInstance) buffer).getLength());
        Instance cache =
                (Instance) heap.getJavaClassByName("Leak").getValueOfStaticField("CACHE");
        System.out.println("cache " + cache.getJavaClass().getName());
        Instance entries = (Instance) cache.getValueOfField("entries");
        System.out.println("entries " + entries.getJavaClass().getName());
        System.out.println("size " + entries.getValueOfField("size"));
        Instance held = (Instance) heap.getJavaClassByName("Leak$Held").getInstances().get(0);
        GCRoot root = heap.getGCRoot(held);
        System.out.println("root " + root.getKind());
        System.out.println("nearest " + admin.getNearestGCRootPointer().getJavaClass().getName());
        System.out.println("roots " + (heap.getGCRoots().size() > 10));
    }

    private static String text(Instance string) {
        PrimitiveArrayInstance value = (PrimitiveArrayInstance) string.getValueOfField("value");
        StringBuilder text = new StringBuilder();
        for (Object unit : (List<?>) value.getValues()) {
            text.append((char) Integer.parseInt((String) unit));
        }
        return text.toString();
    }
}
