// SPDX-License-Identifier: Apache-2.0

import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;

/** Threads that sell things until they are told to stop; with arguments virtual ones, and how many. */
public final class Till {
    static volatile boolean goOn = true;
    static volatile boolean leave;
    static volatile long sold;
    static volatile long otherRounds;

    private final String name;
    private int total;

    private Till(String name) {
        this.name = name; // @constructor
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(Till::others, "other");
        other.setDaemon(true);
        other.start();
        Thread looping = new Thread(Till::loopForLong, "looping");
        looping.setDaemon(true);
        looping.start();
        ThreadFactory factory = args.length == 0 ? Thread::new : virtualThreads();
        Thread seller = factory.newThread(Till::sell);
        seller.setName("seller");
        seller.start();
        for (int more = args.length < 2 ? 1 : Integer.parseInt(args[1]); more > 1; more--) {
            factory.newThread(Till::sell).start();
        }
        System.out.println("open");
        seller.join();
        System.out.println("closed");
    }

    private static ThreadFactory virtualThreads() throws ReflectiveOperationException {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        Class<?> type = Class.forName("java.lang.Thread$Builder");
        return (ThreadFactory) type.getMethod("factory").invoke(builder);
    }

    private static void sell() {
        for (int round = 0; goOn; round++) {
            Till till = new Till("till" + round % 3);
            till.sell("apple", round, 1.5, 1L << 40, 0.25f, true, 'x', (byte) -2, (short) 300);
            pause();
        }
    }

    private int sell(
            String item,
            int count,
            double price,
            long serial,
            float weight,
            boolean fresh,
            char shelf,
            byte rank,
            short code) {
        List<String> items = List.of(item, name);
        Map<String, Integer> counts = Map.of(item, count);
        int sum = total + count;
        total = sum; // @sell
        sold++;
        return total(items, counts) + sum; // @after
    }

    private int total(List<String> items, Map<String, Integer> counts) {
        int all = 0;
        for (String each : items) {
            all += counts.getOrDefault(each, 0);
        }
        return all;
    }

    static int twice(int number) {
        return 2 * number; // @twice
    }

    /** For conditions that take their time. */
    static int slowly(int number) {
        pause();
        return number;
    }

    /** For conditions that do not return before they may. */
    static boolean stay() {
        while (!leave && goOn) {
            pause();
        }
        return false;
    }

    private static void others() {
        while (goOn) {
            otherRounds++; // @other
            pause();
        }
    }

    /** Stays in one method, so that it runs the code from before a breakpoint was set in it. */
    private static void loopForLong() {
        while (goOn) {
            loop();
        }
    }

    private static void loop() {
        do {
            pause(); // @looping
        } while (!leave && goOn);
    }

    private static void pause() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
