// SPDX-License-Identifier: Apache-2.0
package starter;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;

/** Starts `shop.Main` from the directories and archives in its arguments, as servers do. */
public final class Starter {
    private Starter() {}

    public static void main(String[] args) throws Exception {
        URL[] path = new URL[args.length];
        for (int i = 0; i < args.length; i++) {
            path[i] = new File(args[i]).toURI().toURL();
        }
        Class<?> main = Class.forName("shop.Main", true, new URLClassLoader(path));
        main.getMethod("main", String[].class).invoke(null, (Object) args);
    }
}
