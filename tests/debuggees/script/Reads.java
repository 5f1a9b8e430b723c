// SPDX-License-Identifier: Apache-2.0

import java.io.BufferedReader;
import java.io.InputStreamReader;

/** Asks for lines, and ends with their number when there are no more. */
public class Reads {
    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        System.out.print("ready\n");
        int count = 0;
        for (String line; (line = in.readLine()) != null;) { // @asks
            count++; // @counts
            System.out.print("read " + line + "\n"); // @read
        }
        System.exit(count);
    }
}
