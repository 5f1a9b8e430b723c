// SPDX-License-Identifier: Apache-2.0
package shop;

import java.util.HashMap;
import java.util.Map;

/** Makes reports until it is ended, slowly, and keeps all of them. */
final class Reports {
    static final Map<Integer, Report> CACHE = new HashMap<>();

    private Reports() {}

    static void run() {
        for (int number = 0; ; number++) {
            CACHE.put(number % 1000, new Report(number, sum(number)));
        }
    }

    /** Most of the time goes here. */
    static long sum(int number) {
        long sum = 0;
        for (int i = 0; i < 20_000; i++) {
            sum += (number ^ i) % 7;
        }
        return sum;
    }

    /** Most of the memory goes here. */
    static final class Report {
        final int number;
        final String author; // two texts, and a string for each report
        final String text;

        Report(int number, long sum) {
            this.number = number;
            this.author = "clerk " + number % 2;
            this.text = "report " + number + ": " + sum + ".".repeat(1000);
        }
    }
}
