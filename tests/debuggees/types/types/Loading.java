// SPDX-License-Identifier: Apache-2.0
package types;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;

/** Brings the types into the states that the conversations ask about. */
class Loading {
    static void begin() throws Exception {
        for (String name : new String[] {"Shape", "Extended", "Marked", "Leaf$Inner", "Leaf$Secret", "Leaf$Nested",
                "Uncounted", "Square", "Primitives"}) {
            Class.forName("types.Types$" + name);
        }
        Class.forName("types.Types$Prepared", false, Types.loader).getDeclaredFields();
        Types.unlinked = Class.forName("types.Types$Unlinked", false, Types.loader);
        try {
            Class.forName("types.Types$Broken");
        } catch (ExceptionInInitializerError expected) {
            Types.go = false;
        }
        Types.leaf.work();
        Types.hidden = Types.lookup()
                .defineHiddenClass(code("Hidden"), true, MethodHandles.Lookup.ClassOption.NESTMATE)
                .lookupClass().getDeclaredConstructor().newInstance();
        Types.proxy = Types.proxyOf(Runnable.class);
        Hidden ordinary = new Hidden();
        ordinary.twice();
        Types.definer = new ClassLoader("definer", Types.loader) {
            @Override
            public Class<?> loadClass(String name) throws ClassNotFoundException {
                if (!name.equals("types.Hidden")) {
                    return super.loadClass(name);
                }
                try {
                    byte[] code = code(name.substring(6));
                    return defineClass(name, code, 0, code.length);
                } catch (IOException unreadable) {
                    throw new ClassNotFoundException(name, unreadable);
                }
            }
        };
        Types.twin = create("types.Hidden");
    }

    static Object create(String name) throws Exception {
        var constructor = Class.forName(name, true, Types.definer).getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }

    static byte[] code(String name) throws IOException {
        try (InputStream stream = Types.class.getResourceAsStream(name + ".class")) {
            return stream.readAllBytes();
        }
    }
}
