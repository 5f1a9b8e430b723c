// SPDX-License-Identifier: Apache-2.0
package shop.data;

/** Not loaded before an expression uses it. */
public class Author extends Person {
    public Author(String name) {
        super(name);
    }

    public static final class Prize {
        public String text() {
            return "prize";
        }
    }
}
