// SPDX-License-Identifier: Apache-2.0
package strata;

/** What a compiler of templates might make; `Strata.SOURCE_MAP` names these lines by number. */
class Template implements java.util.function.IntUnaryOperator {
    @Override
    public int applyAsInt(int number) {
        int sum = number; // line 8 is line 10 of the page
        sum += 1; // and so is line 9
        sum += part(sum); // line 10: line 11 of the page
        sum += 2; // line 11 stands for none
        sum += 3; // line 12: line 4 of the part
        sum += 4; // line 13: line 4 again
        sum += part(sum); // line 14: line 12 of the page
        return sum; // and so is line 15
    }

    static int part(int number) {
        int twice = 2 * number; // line 19: line 1 of the part
        return twice; // line 20: line 2 of the part
    }

    static int unmapped(int number) {
        int result = number; // nothing here stands for anything
        return result;
    }
}
