// SPDX-License-Identifier: Apache-2.0
import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Planted in its heap: a leak, equal strings, an object that only a local variable holds. */
public final class Leak {
    static class Session {
        final String user;
        final byte[] buffer = new byte[10_000];

        Session(String user) {
            this.user = user;
        }
    }

    static final class AdminSession extends Session {
        AdminSession(String user) {
            super(user);
        }
    }

    static final class Cache {
        private final Map<String, List<Session>> entries = new HashMap<>();
    }

    static final class Held {
        final long[] payload = new long[1000];
    }

    static final Cache CACHE = new Cache();
    static final String[] DUPLICATES = new String[500];
    static WeakReference<Object> weak = new WeakReference<>(new Object());

    private static void plant() {
        List<Session> leaked = new ArrayList<>();
        for (int index = 0; index < 100; index++) {
            leaked.add(new Session("user " + index));
        }
        leaked.add(new AdminSession("root"));
        CACHE.entries.put("de", leaked);
        for (int index = 0; index < DUPLICATES.length; index++) {
            DUPLICATES[index] = new String("planted twin ü".toCharArray());
        }
    }

    private static void hold(String[] arguments) throws Exception {
        Held held = new Held();
        if (arguments.length > 0) {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpHeap(arguments[0], true);
            System.out.println(held.payload.length);
            return;
        }
        System.out.println("ready");
        while (held.payload.length > 0) {
            Thread.sleep(20); // @waiting
        }
    }

    public static void main(String[] arguments) throws Exception {
        plant();
        Thread holder =
                new Thread(
                        () -> {
                            try {
                                hold(arguments);
                            } catch (Exception failed) {
                                throw new IllegalStateException(failed);
                            }
                        },
                        "holder");
        holder.start();
        holder.join();
    }
}
