// SPDX-License-Identifier: Apache-2.0

/** A class whose code another agent changes; it says what that has made of it. */
public final class Hooked {
    static volatile int rounds = 3;
    static volatile boolean goes;

    static String word() {
        return "plain"; // @word
    }

    static int passed(int i) {
        int doubled = i * 2; // @passed
        return doubled;
    }

    static void round() {
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += passed(i);
        }
        System.out.println(word() + " " + sum); // @round
    }

    public static void main(String[] args) throws Exception {
        HookingAgent.isRunning = true;
        while (args.length > 0 && !goes) {
            passed(1);
            Thread.sleep(1);
        }
        while (rounds-- > 0) {
            round();
        }
    }
}
