// SPDX-License-Identifier: Apache-2.0
/**
 * A loop with a line that breakpoints with conditions are set at; prints how long a pass took, for each round.
 *
 * <p>Arguments: {@code ROUNDS TIMES [WORK [THREADS]]}. With several threads the time is that of a processor: as many of
 * them as there are processors run at once.
 */
public final class Conditions {
    private int limit = -1;
    private long sum;
    private final int[] values = new int[64];
    private static final int[] WATCHED = new int[64];
    private final Item[] items = new Item[1000];
    private int most = Integer.MAX_VALUE;

    /** One of many objects in the heap, whose price changes from pass to pass. */
    private static final class Item {
        private int price;

        Item(int price) {
            this.price = price;
        }
    }

    private Conditions() {
        for (int i = 0; i < items.length; i++) {
            items[i] = new Item(i * 7919 % 1000);
        }
    }

    private boolean isOver(int i) {
        return i < limit;
    }

    private long pass(int rounds) {
        for (int i = 0; i < rounds; i++) {
            sum += i; // @passed
        }
        return sum;
    }

    private void step(int i) {
        sum += i; // @stepped
    }

    private long passCalling(int rounds) {
        for (int i = 0; i < rounds; i++) {
            step(i);
        }
        return sum;
    }

    private static long passLocal(int rounds) {
        long total = 0;
        for (int i = 0; i < rounds; i++) {
            total = total * 31 + i;
        }
        return total;
    }

    private long passWithRare(int rounds) {
        for (int i = 0; i < rounds; i++) {
            sum += i;
            if (sum == Long.MIN_VALUE) {
                limit = 0; // @rare
            }
        }
        return sum;
    }

    private long passStoring(int rounds) {
        int[] own = values;
        for (int i = 0; i < rounds; i++) {
            own[i & 63] = i;
        }
        return own[1];
    }

    private long passItems(int rounds) {
        for (int done = 0; done < rounds; done += items.length) {
            for (Item item : items) {
                sum += item.price; // @item
                item.price ^= done;
            }
        }
        return sum;
    }

    private long passThrowing(int rounds) {
        for (int i = 0; i < rounds; i++) {
            try {
                sum += fails(8);
            } catch (IllegalStateException expected) {
                sum++;
            }
        }
        return sum;
    }

    private static int fails(int depth) {
        if (depth == 0) {
            throw new IllegalStateException("expected");
        }
        return fails(depth - 1) + 1;
    }

    private void never() {
        limit = 0; // @never
    }

    private void run(String work, int rounds) {
        switch (work) {
            case "rare":
                passWithRare(rounds);
                break;
            case "call":
                passCalling(rounds);
                break;
            case "local":
                sum += passLocal(rounds);
                break;
            case "store":
                passStoring(rounds);
                break;
            case "items":
                passItems(rounds);
                break;
            case "throw":
                passThrowing(rounds);
                break;
            default:
                pass(rounds);
                break;
        }
    }

    private static double inThreads(String work, int rounds, int count) throws InterruptedException {
        Thread[] threads = new Thread[count];
        for (int number = 0; number < count; number++) {
            Conditions own = new Conditions();
            threads[number] = new Thread(() -> own.run(work, rounds), "worker-" + number);
        }
        int atOnce = Math.min(count, Runtime.getRuntime().availableProcessors());
        long start = System.nanoTime();
        for (Thread each : threads) {
            each.start();
        }
        for (Thread each : threads) {
            each.join();
        }
        return (double) (System.nanoTime() - start) * atOnce / count / rounds;
    }

    public static void main(String[] args) throws InterruptedException {
        int rounds = Integer.parseInt(args[0]); // @main
        String work = args.length > 2 ? args[2] : "pass";
        int threads = args.length > 3 ? Integer.parseInt(args[3]) : 1;
        Conditions conditions = new Conditions();
        if (work.equals("never")) {
            conditions.never();
        }
        for (int number = Integer.parseInt(args[1]); number > 0; number--) { // @rounds
            if (threads > 1) {
                System.out.println(inThreads(work, rounds, threads));
                continue;
            }
            long start = System.nanoTime();
            conditions.run(work, rounds);
            System.out.println((double) (System.nanoTime() - start) / rounds);
        }
    }
}
