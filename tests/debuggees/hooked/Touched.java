// SPDX-License-Identifier: Apache-2.0

/** Calls a class that the transformer of HookingAgent may call before it is initialized. */
public final class Touched {
    public static void main(String[] args) throws InterruptedException {
        System.out.println("running"); // @running
        int sum = 0;
        for (int i = 0; i < 4; i++) {
            Thread.sleep(1); // @touching
            sum += Late.touch(i);
        }
        System.out.println(sum);
    }

    /** Loaded when it is called first. */
    static final class Late {
        static int touch(int i) {
            int next = i + 1;
            return next; // @late
        }
    }
}
