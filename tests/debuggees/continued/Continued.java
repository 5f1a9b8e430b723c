// SPDX-License-Identifier: Apache-2.0
// Statements over several lines, of which the compiler gives code to some only.

public class Continued {
    static int passes;

    static String refused(int least) {
        passes++; // @first
        throw new IllegalStateException( // @throw
            "no word of " + least
            + " letters"); // @throw-end
    } // @refused-end

    static int sum(int first,
                   int second) { // @parameter
        int all = first // @sum
            + second; // @sum-end
        return all; // @return
    } // @method-end

    static int[] numbers() {
        int[] made = { // @array
            1,
            2 // @element
        };
        return made;
    }

    static int longer(int least) {
        if (least > 0 // @head
            ) { // @head-end
            passes++;
        }
        return passes;
    }

    public static void main(String[] args) {
        for (int pass = 0; pass < 2; pass++) {
            try {
                refused(3);
            } catch (IllegalStateException expected) {
                passes++;
            }
        }
        System.out.println(passes + sum(1, 2) + numbers().length + longer(1));
    }
}
