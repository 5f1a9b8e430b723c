// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;

/** Asks for more than the heap has. */
public final class Full {
    private static void fill(List<byte[]> hoard) {
        while (true) {
            byte[] more = new byte[1 << 20]; // @asked
            hoard.add(more);
        }
    }

    public static void main(String[] arguments) {
        fill(new ArrayList<>());
    }
}
