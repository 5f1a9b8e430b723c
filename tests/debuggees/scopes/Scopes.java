// SPDX-License-Identifier: Apache-2.0

import java.util.stream.IntStream;

/** One name for several variables: in two loops, of a field and a local, of a lambda. */
public class Scopes {
    static int calls;
    private int x = 3;
    private int count = 40;

    int sum(int first, String... words) { // @head
        for (int i = 0; i < 2; i++) { // @loop1
            calls++; // @inside1
        }
        int x = 5; // @shadow
        this.x = x + 1; // @field
        for (int i = 10; i < 12; i++) { // @loop2
            x += i; // @inside2
        }
        IntStream.of(7).forEach(count -> { // @lambda
            this.x += count; // @body
        });
        IntStream.of(8).forEach(calls -> other(calls)); // @short
        return x + count; // @end
    }

    static void other(int value) {
        int i = value; // @other
    }

    public static void main(String[] args) {
        System.out.println(new Scopes().sum(1, "a")); // @main
    }
}
