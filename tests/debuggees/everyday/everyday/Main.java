// SPDX-License-Identifier: Apache-2.0
package everyday;

/** What people type into an evaluation, in the places where they do. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Calls.visit();
        Numbers.visit();
        Places.visit();
        Statements.visit();
        Streams.visit();
    }
}
