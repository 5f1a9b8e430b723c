// SPDX-License-Identifier: Apache-2.0
package oracle;

import com.sun.management.OperatingSystemMXBean;
import java.io.ByteArrayOutputStream;
import java.io.FileWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Runs a workload until standard input ends, and then some calm rounds more. Each round has to write what the first one
 * wrote. With a second argument the calm rounds are few. Leaves the files `written` (what a round writes), `rounds` (how long each took), `reflection` and the folder
 * `seen` (see SecondAgent) in the working directory.
 */
public final class Oracle {
    /** Frames of reflection, which are others after some calls, and our own. */
    private static final Pattern OTHER_FRAMES = Pattern.compile(
            "^\\s*at (oracle\\.Oracle|(java\\.base/)?(jdk\\.internal|java\\.lang|sun)\\.(reflect|invoke)\\.).*\n|^\\s*\\.\\.\\. \\d+ more\n",
            Pattern.MULTILINE);
    /** What the VM writes for a frame that runs code which was changed meanwhile: docs/how-to/probes.md says so. */
    private static final String UNKNOWN = "(Unknown Source)";
    private static final int CALM = 8;
    private static final int MOST_CALM = 40;
    private static final long ENOUGH = 200_000_000;
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
            calm(work, first, rounds, args.length > 1 ? 1 : MOST_CALM);
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

    /** Until it does not get quicker any more: what was changed is compiled anew. */
    private static void calm(Workload work, String first, Writer rounds, int most) throws IOException {
        long least = Long.MAX_VALUE;
        for (int number = 0, since = 0; number < most && since < CALM; ++number, ++since) {
            long took = some(work, first);
            rounds.write("calm " + took / 1000 + "\n");
            if (took < least - least / 20) {
                since = 0;
            }
            least = Math.min(least, took);
        }
        check(round(work), first, true);
    }

    /** How long a round takes: of as many as the clock of the processor needs. */
    private static long some(Workload work, String first) {
        long before = processorTime();
        long took = 0;
        int count = 0;
        while (took < ENOUGH) {
            check(round(work), first, false);
            took = processorTime() - before;
            ++count;
        }
        return took / count;
    }

    private static void check(String text, String first, boolean strictly) {
        if (!text.equals(first) && (strictly || !isAlike(text, first))) {
            wrong("a round wrote\n" + text + "\nand not\n" + first);
        }
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
        long before = processorTime();
        check(round(work), first, false);
        rounds.write(when + " " + (processorTime() - before) / 1000 + "\n");
        rounds.flush();
    }

    /** Of all threads: other programs of the machine do not change it. */
    private static long processorTime() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static boolean isAlike(String text, String first) {
        String[] lines = text.split("\n");
        String[] others = first.split("\n");
        boolean isAlike = lines.length == others.length;
        for (int at = 0; isAlike && at < lines.length; ++at) {
            int end = lines[at].length() - UNKNOWN.length();
            boolean isUnknown = lines[at].endsWith(UNKNOWN) && others[at].startsWith(lines[at].substring(0, end + 1));
            isAlike = isUnknown || lines[at].equals(others[at]);
        }
        return isAlike;
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
