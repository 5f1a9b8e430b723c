// SPDX-License-Identifier: Apache-2.0

/** A stack as deep as asked for (10,000 frames), on a thread with room for it. */
public final class DeepStack {
    private DeepStack() {}

    static int down(int left) {
        if (left == 0) {
            return 0; // @bottom
        }
        return 1 + down(left - 1); // @down
    }

    public static void main(String[] args) throws InterruptedException {
        int depth = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
        Thread diver = new Thread(null, () -> System.out.println(down(depth)), "diver", 1L << 29);
        diver.start();
        diver.join();
    }
}
