// SPDX-License-Identifier: Apache-2.0
package launcher;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;

/** Starts the program in `BOOT-INF/classes`, which is not on the class path: as fat jars do. */
public final class Launcher extends ClassLoader {
    private static final String PREFIX = "BOOT-INF/classes/";

    private Launcher() {
        super(Launcher.class.getClassLoader());
    }

    public static void main(String[] args) throws Exception {
        Class<?> main = Class.forName("shop.Main", true, new Launcher());
        main.getMethod("main", String[].class).invoke(null, (Object) args);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String entry = name.replace('.', '/') + ".class";
        try (InputStream content = getResourceAsStream(entry)) {
            if (content == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = content.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException failed) {
            throw new ClassNotFoundException(name, failed);
        }
    }

    @Override
    protected URL findResource(String name) {
        return getParent().getResource(PREFIX + name);
    }
}
