// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;

/** Hidden classes, which Java 15 and newer have: `scenarios.Plain/0x…` as Java names them. */
class Hidden {
    static Class<?> held;

    /** One more with the code of Plain and a name of five letters; it lives while it is referred to. */
    static Class<?> define(String name) throws Exception {
        byte[] code;
        try (InputStream stream = Hidden.class.getResourceAsStream("Plain.class")) {
            String text = new String(stream.readAllBytes(), StandardCharsets.ISO_8859_1);
            code = text.replace("Plain", name).getBytes(StandardCharsets.ISO_8859_1);
        }
        // By reflection, as the sources of this folder are compiled for Java 11.
        Object options =
                Array.newInstance(Class.forName("java.lang.invoke.MethodHandles$Lookup$ClassOption"), 0);
        Object lookup = MethodHandles.Lookup.class
                .getMethod("defineHiddenClass", byte[].class, boolean.class, options.getClass())
                .invoke(MethodHandles.lookup(), code, true, options);
        return ((MethodHandles.Lookup) lookup).lookupClass();
    }

    static void prepare() throws Exception {
        held = define("Plain");
        held.getMethod("entered").invoke(null);
        held = null;
    }

    static void unload() throws Exception {
        WeakReference<Class<?>> loaded = new WeakReference<>(define("Ghost"));
        while (loaded.get() != null) {
            System.gc();
        }
    }
}

class Plain {
    public static void entered() {
        Events.count++;
    }
}
