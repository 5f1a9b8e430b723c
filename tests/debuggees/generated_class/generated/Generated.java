// SPDX-License-Identifier: Apache-2.0
package generated;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Runs a class that is made at run time: no file and no resource has it. */
public final class Generated {
    private Generated() {}

    public static void main(String[] args) throws Exception {
        try (InputStream template = Generated.class.getResourceAsStream("Template.class")) {
            String bytes = new String(template.readAllBytes(), StandardCharsets.ISO_8859_1);
            byte[] made = bytes.replace("generated/Template", "generated/Produced")
                    .getBytes(StandardCharsets.ISO_8859_1);
            Class<?> produced = new Defining().define("generated.Produced", made);
            ((Runnable) produced.getDeclaredConstructor().newInstance()).run();
        }
    }

    private static final class Defining extends ClassLoader {
        Class<?> define(String name, byte[] bytes) {
            return defineClass(name, bytes, 0, bytes.length);
        }
    }
}
