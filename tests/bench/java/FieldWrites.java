// SPDX-License-Identifier: Apache-2.0
/**
 * A loop that writes one of two fields of some objects; prints how many nanoseconds a write took, for each round.
 *
 * <p>Arguments: {@code ROUNDS TIMES FIELD}.
 */
public final class FieldWrites {
    private static final FieldWrites[] ALL = new FieldWrites[64];
    private static final FieldWrites ONE = new FieldWrites(); // never written
    private int watched;
    private int other;

    private static void writeWatched(int rounds) {
        for (int i = 0; i < rounds; i++) {
            ALL[i & 63].watched = i;
        }
    }

    private static void writeOther(int rounds) {
        for (int i = 0; i < rounds; i++) {
            ALL[i & 63].other = i;
        }
    }

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]); // @main
        boolean isWatched = args[2].equals("watched");
        for (int number = 0; number < ALL.length; number++) {
            ALL[number] = new FieldWrites();
        }
        for (int number = Integer.parseInt(args[1]); number > 0; number--) {
            long start = System.nanoTime();
            if (isWatched) {
                writeWatched(rounds);
            } else {
                writeOther(rounds);
            }
            System.out.println((double) (System.nanoTime() - start) / rounds);
        }
    }
}
