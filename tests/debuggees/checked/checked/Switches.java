// SPDX-License-Identifier: Apache-2.0
package checked;

/** Every kind of switch, and comparisons. */
final class Switches {
    private static final String[] WORDS = {"zero", "one", "two", "three", "Aa", "BB"};

    private Switches() {}

    static int pass(int n) {
        int at = Math.floorMod(n, 6);
        return close(at) == at && far(at * 1_000_003) == at && word(WORDS[at]) == at ? n : -1;
    }

    private static int close(int at) {
        switch (at) {
            case 0: return 0;
            case 1: return 1;
            case 2: return 2;
            case 3: return 3;
            case 4: return 4;
            default: return 5;
        }
    }

    private static int far(int at) {
        switch (at) {
            case 0: return 0;
            case 1_000_003: return 1;
            case 2_000_006: return 2;
            case 3_000_009: return 3;
            case 4_000_012: return 4;
            default: return 5;
        }
    }

    private static int word(String word) {
        switch (word) {
            case "zero": return 0;
            case "one": return 1;
            case "two": return 2;
            case "three": return 3;
            case "Aa": return 4;
            case "BB": return 5;
            default: return -1;
        }
    }
}
