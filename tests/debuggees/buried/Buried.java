// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;

/** An exception is thrown below so many frames of the JDK that no editor shows the caller of them. */
public final class Buried {
    private Buried() {}

    /** A list whose `hashCode` throws below two frames for each of the lists around it. */
    static Object nested(int lists) {
        List<Object> changed = new ArrayList<>(List.of(1, 2));
        Object nested = changed.subList(0, 1);
        changed.add(3);
        for (int i = 0; i < lists; i++) {
            nested = new ArrayList<>(List.of(nested));
        }
        return nested;
    }

    static int hash(Object nested) {
        int begun = 1;
        return begun + nested.hashCode(); // @calls
    }

    public static void main(String[] args) throws InterruptedException {
        Object nested = nested(Integer.parseInt(args[0]));
        if (args.length > 1) { // no code of the program's on the stack
            Thread alone = new Thread(nested::hashCode, "alone");
            alone.start();
            alone.join();
        } else {
            System.out.println(hash(nested));
        }
    }
}
