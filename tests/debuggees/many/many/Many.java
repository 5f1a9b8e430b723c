// SPDX-License-Identifier: Apache-2.0
package many;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/** Stops with `it`, an array or collection of as many elements as the arguments say. */
public final class Many {
    private Many() {}

    /** What the elements are. */
    static final class Item {
        final int number;
        final String name;
        final Item before;

        Item(int number, Item before) {
            this.number = number;
            this.name = "item " + number;
            this.before = before;
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (int each = 0; each + 1 < arguments.length; each += 2) {
            show(make(arguments[each], Integer.parseInt(arguments[each + 1])));
        }
    }

    static void show(Object it) {
        int size = 1; // @shown
        size += 1;
        size += 1;
        System.out.println(it.getClass() + " " + size);
    }

    private static Object emptied(Map<Integer, Object> map, int count) {
        filled(map, count);
        map.clear();
        return filled(map, 30);
    }

    private static Object make(String kind, int count) throws Exception {
        switch (kind) {
            case "threads":
                return started(count, false);
            case "virtual threads":
                return started(count, true);
            case "proxy":
                return proxy();
            case "chain":
                return new Chained().followed();
            case "hits":
                return hit(count);
            case "classes":
                return copied(count);
            case "frames":
                return deeper(count);
            case "Object[]":
                return items(count).toArray();
            case "int[]":
                return new int[count];
            case "List.of":
                return List.of(items(count).toArray());
            case "Map.of":
                return Map.ofEntries(filled(new HashMap<>(), count).entrySet().toArray(new Map.Entry[0]));
            // Few entries are left in the table of many.
            case "emptied HashMap":
                return emptied(new HashMap<>(), count);
            case "emptied LinkedHashMap":
                return emptied(new LinkedHashMap<>(), count);
            case "emptied IdentityHashMap":
                return emptied(new IdentityHashMap<>(), count);
            case "HashSet":
                return new HashSet<>(filled(new HashMap<>(), count).keySet());
            case "LinkedHashSet":
                return new LinkedHashSet<>(filled(new TreeMap<>(), count).keySet());
            case "TreeSet":
                return new TreeSet<>(filled(new HashMap<>(), count).keySet());
            default:
                return ofElements(kind, count);
        }
    }

    /** What the classes of {@link #copied} are. */
    static final class Model {
        static int work(int number) {
            return number + 1;
        }
    }

    /** So many more initialized classes `many.Copy…`. */
    private static Object copied(int count) throws Exception {
        String name = Model.class.getName().replace('.', '/');
        byte[] model = Model.class.getResourceAsStream("Many$Model.class").readAllBytes();
        Copies loader = new Copies();
        for (int each = 0; each < count; ++each) {
            String other = String.format("many/Copy%06d", copies++); // as long as the model's
            String content = new String(model, ISO_8859_1).replace(name, other);
            Class.forName(loader.define(content.getBytes(ISO_8859_1)), true, loader);
        }
        return "" + count;
    }

    private static int copies;

    /** Defines them. */
    static final class Copies extends ClassLoader {
        String define(byte[] content) {
            return defineClass(null, content, 0, content.length).getName();
        }
    }

    /** A call on a field of a field of a local variable. */
    static final class Chained {
        final Inner inner = new Inner();

        static final class Inner {
            final Link link = new Link();
        }

        static final class Link {
            final int number = 7;

            int times(int by) {
                return number * by;
            }
        }

        Object followed() {
            Chained chained = this;
            return chained.inner.link.times(2); // @chained
        }
    }

    /** Comes so often to a line, and prints a line each time. */
    private static Object hit(int count) {
        int sum = 0;
        for (int each = 0; each < count; ++each) {
            sum += each; // @hit
            System.out.println("line " + each);
        }
        return "" + sum;
    }

    /** Answers the calls of a proxy. */
    static final class Handler implements InvocationHandler {
        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) {
            return method.getName();
        }
    }

    private static Object proxy() {
        Class<?>[] interfaces = {Comparable.class, CharSequence.class};
        return Proxy.newProxyInstance(Many.class.getClassLoader(), interfaces, new Handler());
    }

    /** So many threads that wait, some calls deep. */
    private static Object started(int count, boolean virtual) throws Exception {
        CountDownLatch waiting = new CountDownLatch(count);
        Runnable body = () -> await(10, waiting);
        for (int each = 0; each < count; ++each) {
            if (virtual) { // reflection: this is compiled for Java 11
                Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, body);
            } else {
                Thread thread = new Thread(null, body, "waiting " + each, 1 << 18);
                thread.setDaemon(true);
                thread.start();
            }
        }
        waiting.await();
        return "" + count;
    }

    private static void await(int depth, CountDownLatch waiting) {
        if (depth > 0) {
            await(depth - 1, waiting);
            return;
        }
        waiting.countDown();
        LockSupport.park();
    }

    /** Shows that many calls deep. */
    private static Object deeper(int depth) {
        if (depth > 0) {
            return deeper(depth - 1);
        }
        show("deep");
        return "not deep";
    }

    private static Object ofElements(String kind, int count) {
        switch (kind) {
            case "ArrayList":
                return items(count);
            case "LinkedList":
                return new LinkedList<>(items(count));
            case "ArrayDeque":
                return new ArrayDeque<>(items(count));
            case "CopyOnWriteArrayList":
                return new CopyOnWriteArrayList<>(items(count));
            case "ConcurrentLinkedQueue":
                return new ConcurrentLinkedQueue<>(items(count));
            case "LinkedBlockingQueue":
                return new LinkedBlockingQueue<>(items(count));
            default:
                return filled(map(kind), count);
        }
    }

    private static Map<Integer, Object> map(String kind) {
        switch (kind) {
            case "HashMap":
                return new HashMap<>();
            case "LinkedHashMap":
                return new LinkedHashMap<>();
            case "TreeMap":
                return new TreeMap<>();
            case "Hashtable":
                return new Hashtable<>();
            case "WeakHashMap":
                return new WeakHashMap<>();
            case "IdentityHashMap":
                return new IdentityHashMap<>();
            case "ConcurrentHashMap":
                return new ConcurrentHashMap<>();
            case "ConcurrentSkipListMap":
                return new ConcurrentSkipListMap<>();
            default:
                throw new IllegalArgumentException(kind);
        }
    }

    private static List<Object> items(int count) {
        List<Object> made = new ArrayList<>();
        Item before = null;
        for (int each = 0; each < count; ++each) {
            before = new Item(each, before);
            made.add(before);
        }
        return made;
    }

    private static Map<Integer, Object> filled(Map<Integer, Object> map, int count) {
        for (int each = 0; each < count; ++each) {
            map.put(each * 7, "value " + each);
        }
        return map;
    }
}
