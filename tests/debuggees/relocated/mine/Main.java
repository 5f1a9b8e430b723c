// SPDX-License-Identifier: Apache-2.0
package mine;

import shaded.org.text.Words;

/** Uses a library that was packed into the program under another package. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.out.println(Words.count("one two"));
    }
}
