// SPDX-License-Identifier: Apache-2.0
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Writes back what it reads, then its arguments, properties and directory. */
public final class Echo {
    private Echo() {}

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, "UTF-8");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.println("read " + line);
        }
        for (String arg : args) {
            out.println("arg [" + arg + "]");
        }
        out.println("property [" + System.getProperty("echo.property") + "]");
        out.println("env [" + System.getenv("ECHO_ENV") + "]");
        out.println("cwd [" + System.getProperty("user.dir") + "]");
        System.out.print("no line end: ä");
    }
}
