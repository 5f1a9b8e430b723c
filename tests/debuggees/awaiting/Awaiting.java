// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** Methods that wait for virtual threads, to be called at a stop of a thread of either kind. */
final class Awaiting {
    private static final Object LOCK = new Object();
    private static volatile boolean go;

    private Awaiting() {}

    static int fare(int people) {
        return people * 3;
    }

    static int submitted(int people) throws Exception {
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            return pool.submit(() -> fare(people)).get();
        }
    }

    static int joined(int people) throws Exception {
        int[] asked = {0};
        Thread.ofVirtual().start(() -> asked[0] = fare(people)).join();
        return asked[0];
    }

    /** Each thread is started by the one before it. */
    static int chained(int people) throws Exception {
        CompletableFuture<Integer> asked = new CompletableFuture<>();
        Runnable last = () -> asked.complete(fare(people));
        Runnable second = () -> Thread.ofPlatform().start(() -> Thread.startVirtualThread(last));
        Thread.startVirtualThread(() -> Thread.startVirtualThread(second));
        return asked.get();
    }

    static int streamed(int people) {
        return IntStream.range(0, 100).parallel().map(each -> fare(people)).max().getAsInt();
    }

    static int completed(int people) {
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            return CompletableFuture.supplyAsync(() -> fare(people), pool)
                    .thenApplyAsync(each -> each, pool)
                    .join();
        }
    }

    /** A virtual thread has the lock until it sees `go`. */
    static int locked(int people) {
        go = true;
        return blocked(people);
    }

    static int blocked(int people) {
        synchronized (LOCK) {
            return fare(people);
        }
    }

    private static void hold() throws Exception {
        go = false;
        CountDownLatch held = new CountDownLatch(1);
        Thread.ofVirtual().name("holder").start(() -> {
            synchronized (LOCK) {
                held.countDown();
                while (!go) {
                    Thread.yield();
                }
            }
        });
        held.await();
    }

    private static void visit(String name) {
        int people = 4;
        System.out.println(name + " " + people); // @visit
        System.out.println(name + " on"); // @behind
    }

    private static void twins() throws Exception {
        // A virtual thread that has no carrier cannot be resumed alone: it comes first.
        CountDownLatch began = new CountDownLatch(1);
        Thread first = Thread.ofVirtual().name("first").start(() -> {
            while (began.getCount() > 0) {
                Thread.onSpinWait();
            }
            go = true;
            visit("first");
        });
        Thread second = Thread.ofPlatform().name("second").start(() -> {
            began.countDown();
            while (!go) {
                Thread.onSpinWait();
            }
            visit("second");
        });
        first.join();
        second.join();
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "platform" -> {
                hold();
                visit("main");
            }
            case "virtual" -> {
                hold();
                Thread.ofVirtual().name("deck").start(() -> visit("deck")).join();
            }
            default -> twins();
        }
        go = true;
        System.out.println("over");
    }
}
