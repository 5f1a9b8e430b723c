// SPDX-License-Identifier: Apache-2.0
package tools;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;

/** The library: calls what it is given. */
public final class Calls {
    private static int calls;

    private Calls() {}

    public static void twice(Runnable action) {
        for (int i = 0; i < 2; i++) {
            calls++;
            action.run();
        }
    }

    public static int around(Callable<Integer> target) {
        try {
            calls++;
            return Deeper.through(target);
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    public static <T> T proxy(Class<T> type, Object target) {
        Object made = // @made
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> {
                            try {
                                calls++;
                                return method.invoke(target, arguments);
                            } catch (InvocationTargetException failed) {
                                throw failed.getCause();
                            }
                        });
        return type.cast(made); // @cast
    }

    /** A second class that a step comes to. */
    private static final class Deeper {
        static int through(Callable<Integer> target) throws Exception {
            int result = target.call();
            return result;
        }
    }
}
