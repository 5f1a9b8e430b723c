// SPDX-License-Identifier: Apache-2.0
package shop;

import java.util.Iterator;
import java.util.List;
import tools.Calls;

/** Calls its own code through a library, a generated class and a proxy. */
public final class Main {
    static int count;

    private Main() {}

    public static void main(String[] args) {
        Order order = new Order$$SpringCGLIB$$0();
        Priced priced = Calls.proxy(Priced.class, order);
        for (int round = 0; round < 3; round++) {
            Calls.twice(Main::add); // @library
            count += order.price(); // @generated
            count += priced.price(); // @proxy
        }
        count += order.kept(); // @answered
        Priced made = Calls.proxy(Priced.class, (Priced) () -> 3); // @body
        count += made.price(); // @lambda
        Iterator<?> strange = Calls.proxy(Iterator.class, List.of(1).iterator());
        if (strange.hasNext()) { // @strange
            count++; // @behind
        }
        Order plain = new Plain();
        count += plain.price(); // @answers
        count += plain.kept(); // @passes
        System.out.println(count);
    }

    static void add() {
        count++; // @callback
    }
}
