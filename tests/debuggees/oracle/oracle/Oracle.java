// SPDX-License-Identifier: Apache-2.0
package oracle;

import java.io.ByteArrayOutputStream;
import java.io.FileWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Runs a workload until standard input ends, and then some calm rounds more. Each round has to write what the first one
 * wrote. Leaves the files `written` (what a round writes), `rounds` (how long each took), `reflection` and the folder
 * `seen` (see SecondAgent) in the working directory.
 */
public final class Oracle {
    /** Frames of reflection, which are others after some calls, and our own. */
    private static final Pattern OTHER_FRAMES = Pattern.compile(
            "^\\s*at (oracle\\.Oracle|(java\\.base/)?(jdk\\.internal|java\\.lang|sun)\\.(reflect|invoke)\\.).*\n|^\\s*\\.\\.\\. \\d+ more\n",
            Pattern.MULTILINE);
    private static final int CALM_ROUNDS = 4;
    private static volatile boolean isEnding;
    private static volatile boolean isWrong;

    private Oracle() {}

    public static void main(String[] args) throws Exception {
        Workload work = (Workload) Class.forName(args[0]).getDeclaredConstructor().newInstance();
        String first = round(work);
        Files.writeString(Path.of("written"), first);
        try (Writer rounds = new FileWriter("rounds")) {
            timed(work, first, rounds, "warm");
            System.out.println("at work");
            Thread waiting = new Thread(Oracle::waitForEnd, "waits-for-end");
            waiting.setDaemon(true);
            waiting.start();
            while (!isEnding) {
                timed(work, first, rounds, "storm");
            }
            for (int number = 0; number < CALM_ROUNDS; ++number) {
                timed(work, first, rounds, "calm");
            }
        }
        Reflected.write(Path.of("reflection"), SecondAgent.classes());
        SecondAgent.write(Path.of("seen"));
        if (work instanceof AutoCloseable) {
            ((AutoCloseable) work).close();
        }
        if (isWrong) {
            System.exit(3);
        }
        System.out.println("all code is as it was to be seen, all sums are right");
    }

    /** Say what went wrong, at once: the program may not come to its end. */
    public static void wrong(String what) {
        isWrong = true;
        System.out.println("WRONG: " + what);
    }

    private static void waitForEnd() {
        try {
            while (System.in.read() >= 0) {}
        } catch (IOException error) {
            System.out.println(error);
        }
        isEnding = true;
    }

    private static void timed(Workload work, String first, Writer rounds, String when) throws IOException {
        long before = System.nanoTime();
        String text = round(work);
        rounds.write(when + " " + (System.nanoTime() - before) / 1000 + "\n");
        rounds.flush();
        if (!text.equals(first)) {
            wrong("a round wrote\n" + text + "\nand not\n" + first);
        }
    }

    private static String round(Workload work) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        try {
            work.round(out);
        } catch (Throwable error) {
            error.printStackTrace(out);
        }
        return OTHER_FRAMES.matcher(bytes.toString(StandardCharsets.UTF_8)).replaceAll("");
    }
}
