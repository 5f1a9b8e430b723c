// SPDX-License-Identifier: Apache-2.0
// A lambda on the line of its method, with a parameter that hides a field of another type.

import java.util.Optional;

public class Tolled {
    private final int[] paid = {7};

    String pass(Optional<String> name, int gate) {
        int fee = gate * 2;
        return fee + name.map(paid -> "+" + paid).orElse(""); // @pass
    }

    public static void main(String[] args) {
        Tolled toll = new Tolled();
        System.out.println(toll.pass(Optional.of("a"), 1) + toll.pass(Optional.of("b"), 2)
                + toll.pass(Optional.empty(), 3));
    }
}
