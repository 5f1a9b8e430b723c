// SPDX-License-Identifier: Apache-2.0
package checked;

/** Texts that are put together by invokedynamic. */
final class Text {
    private Text() {}

    static int pass(int n) {
        String text = "a" + n + 'b' + (long) n + "c" + (n & 1) + null + true;
        String other = n + ";" + text;
        return other.equals(n + ";a" + n + "b" + n + "c" + (n & 1) + "nulltrue") ? Integer.parseInt(other.substring(0, other.indexOf(';'))) : -1;
    }
}
