// SPDX-License-Identifier: Apache-2.0

/** A method that throws, and one that has begun long ago and catches it. */
public final class Throws {
    static volatile boolean goOn = true;
    static volatile int caught;

    private Throws() {}

    private static void fails(int number) {
        int twice = 2 * number; // @doubled
        if (twice >= 0) {
            throw new IllegalStateException("number " + number); // @failing
        }
        caught -= twice;
    }

    public static void main(String[] args) {
        System.out.println("begun");
        for (int number = 0; goOn; number++) {
            try {
                fails(number);
            } catch (IllegalStateException expected) {
                caught++;
            }
            Thread.yield();
        }
    }
}
