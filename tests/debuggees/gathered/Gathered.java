// SPDX-License-Identifier: Apache-2.0

import java.io.File;
import java.util.concurrent.atomic.AtomicInteger;

/** Many methods that are called by turns, and one that a thread stays in. */
public final class Gathered {
    static final AtomicInteger CALLS = new AtomicInteger();
    static File begins;
    static File ends;

    static boolean more() throws InterruptedException {
        CALLS.incrementAndGet();
        do {
            Thread.sleep(1);
        } while (!begins.exists());
        return !ends.exists();
    }

    /** Its loop comes back to its first instruction. */
    static void partThatStays() throws InterruptedException {
        while (more()) {
        }
    }

    static void part0(String text) {
        CALLS.incrementAndGet(); // @part0
    }

    static void part1(String text) {
        CALLS.incrementAndGet(); // @part1
    }

    static void part2(String text) {
        CALLS.incrementAndGet(); // @part2
    }

    static void part3(String text) {
        CALLS.incrementAndGet(); // @part3
    }

    static void part4(String text) {
        CALLS.incrementAndGet(); // @part4
    }

    static void part5(String text) {
        CALLS.incrementAndGet(); // @part5
    }

    static void part6(String text) {
        CALLS.incrementAndGet(); // @part6
    }

    static void part7(String text) {
        CALLS.incrementAndGet(); // @part7
    }

    static void part8(String text) {
        CALLS.incrementAndGet(); // @part8
    }

    static void part9(String text) {
        CALLS.incrementAndGet(); // @part9
    }

    static void part10(String text) {
        CALLS.incrementAndGet(); // @part10
    }

    static void part11(String text) {
        CALLS.incrementAndGet(); // @part11
    }

    static void part12(String text) {
        CALLS.incrementAndGet(); // @part12
    }

    static void part13(String text) {
        CALLS.incrementAndGet(); // @part13
    }

    static void part14(String text) {
        CALLS.incrementAndGet(); // @part14
    }

    static void part15(String text) {
        CALLS.incrementAndGet(); // @part15
    }

    static void part16(String text) {
        CALLS.incrementAndGet(); // @part16
    }

    static void part17(String text) {
        CALLS.incrementAndGet(); // @part17
    }

    static void part18(String text) {
        CALLS.incrementAndGet(); // @part18
    }

    static void part19(String text) {
        CALLS.incrementAndGet(); // @part19
    }

    static void part20(String text) {
        CALLS.incrementAndGet(); // @part20
    }

    static void part21(String text) {
        CALLS.incrementAndGet(); // @part21
    }

    static void part22(String text) {
        CALLS.incrementAndGet(); // @part22
    }

    static void part23(String text) {
        CALLS.incrementAndGet(); // @part23
    }

    /** Goes through many lines, and not back. */
    static int lines(String text) {
        int sum = 0;
        sum += text.length() + 0; // @line0
        sum += text.length() + 1; // @line1
        sum += text.length() + 2; // @line2
        sum += text.length() + 3; // @line3
        sum += text.length() + 4; // @line4
        sum += text.length() + 5; // @line5
        sum += text.length() + 6; // @line6
        sum += text.length() + 7; // @line7
        sum += text.length() + 8; // @line8
        sum += text.length() + 9; // @line9
        sum += text.length() + 10; // @line10
        sum += text.length() + 11; // @line11
        sum += text.length() + 12; // @line12
        sum += text.length() + 13; // @line13
        sum += text.length() + 14; // @line14
        sum += text.length() + 15; // @line15
        return sum;
    }

    static void all() {
            lines("text");
            part0("text");
            part1("text");
            part2("text");
            part3("text");
            part4("text");
            part5("text");
            part6("text");
            part7("text");
            part8("text");
            part9("text");
            part10("text");
            part11("text");
            part12("text");
            part13("text");
            part14("text");
            part15("text");
            part16("text");
            part17("text");
            part18("text");
            part19("text");
            part20("text");
            part21("text");
            part22("text");
            part23("text");
    }

    static void done(int calls) {
        System.out.println("done " + calls); // @done
    }

    public static void main(String[] args) throws InterruptedException {
        begins = new File(args[0]);
        ends = new File(args[1]);
        Thread stays = new Thread(() -> {
            try {
                partThatStays();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        if (args.length > 2) {
            stays.start();
            while (CALLS.get() == 0) {
                Thread.sleep(1);
            }
        }
        System.out.println("ready");
        while (!begins.exists()) {
            Thread.sleep(1);
        }
        while (!ends.exists()) {
            all();
        }
        stays.join();
        done(CALLS.get());
    }
}
