// SPDX-License-Identifier: Apache-2.0
/** A loop with a line that breakpoints with conditions are set at; prints how long each round took. */
public final class Conditions {
    private int limit = -1;
    private long sum;

    private boolean isOver(int i) {
        return i < limit;
    }

    private long pass(int rounds) {
        for (int i = 0; i < rounds; i++) {
            sum += i; // @passed
        }
        return sum;
    }

    private void never() {
        limit = 0; // @never
    }

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        Conditions conditions = new Conditions();
        if (args.length > 2) {
            conditions.never();
        }
        for (int number = Integer.parseInt(args[1]); number > 0; number--) {
            long start = System.nanoTime();
            conditions.pass(rounds);
            System.out.println((double) (System.nanoTime() - start) / rounds);
        }
    }
}
