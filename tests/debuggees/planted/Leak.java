// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;

/** Requests are finished and never leave the log. */
public final class Leak {
    static final class Request {
        final int number;

        Request(int number) {
            this.number = number;
        }
    }

    static final List<Request> LOG = new ArrayList<>();

    private Leak() {}

    static void handle(Request request) {
        LOG.add(request); // @keep
    }

    static void done(int number) {
        System.out.println("handled " + number); // @done
    }

    public static void main(String[] args) {
        for (int number = 1; number <= 2000; number++) {
            handle(new Request(number));
            if (number % 1000 == 0) {
                done(number);
            }
        }
    }
}
