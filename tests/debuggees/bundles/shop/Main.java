// SPDX-License-Identifier: Apache-2.0
package shop;

import dup.Kept;
import framework.api.Context;
import java.util.List;

/** Uses the class `Kept` of one bundle, and meets objects of the other. */
public final class Main {
    private final Kept kept = Kept.FIRST;

    public static void serve(Object given, Object foreign, Object copied) {
        new Main().serve((Context) given, List.of(foreign), foreign, copied);
    }

    private void serve(Context context, List<?> foreigners, Object foreign, Object copied) {
        System.out.println(context.name() + foreigners + kept.current()); // @serving
    }
}
