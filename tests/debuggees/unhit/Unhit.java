// SPDX-License-Identifier: Apache-2.0

/** A method that runs much, and seldom comes to one of its lines. */
public final class Unhit {
    static volatile boolean ends;
    static long sum;

    static void work(int i) {
        sum += i;
        if (i < 0) {
            sum = 7; // @rare
        }
    }

    static void loop() {
        for (int i = 0; i < 10_000; i++) {
            work(i);
        }
    }

    static void passed(int i) {
        sum -= i; // @passed
    }

    public static void main(String[] args) {
        passed(1); // @call
        passed(2);
        System.out.println("ready"); // @ready
        while (!ends) {
            loop();
        }
        work(-1);
        new Exception("end").printStackTrace(System.out); // @trace
    }
}
