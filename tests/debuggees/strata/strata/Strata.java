// SPDX-License-Identifier: Apache-2.0
package strata;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.IntUnaryOperator;

/** Scenarios with a class that has a JSR-45 source map; the debugger names the next one at `stop`. */
public class Strata {
    static final String SOURCE_MAP = String.join("\n",
            "SMAP",
            "Template.java",
            "Page",
            "*S Page",
            "*F",
            "+ 1 page.tpl",
            "web/page.tpl",
            "2 part.tpl",
            "*L",
            "10#1:8,2",
            "11:10",
            "4#2:12",
            "4:13",
            "12#1:14,2",
            "1#2,2:19",
            "*S Whole",
            "*F",
            "1 whole.w",
            "*L",
            "1#1:8,8",
            "2:19,2",
            "*E",
            "");

    static String next = "nothing";
    static int count;
    static IntUnaryOperator page;

    static IntUnaryOperator load() throws Exception {
        ClassLoader loader = new ClassLoader(Strata.class.getClassLoader()) {
            @Override
            public Class<?> loadClass(String name) throws ClassNotFoundException {
                if (!name.equals("strata.Template")) {
                    return super.loadClass(name);
                }
                try (InputStream stream = Strata.class.getResourceAsStream("Template.class")) {
                    byte[] code = SourceMap.with(stream.readAllBytes(), SOURCE_MAP);
                    return defineClass(name, code, 0, code.length);
                } catch (IOException unreadable) {
                    throw new ClassNotFoundException(name, unreadable);
                }
            }
        };
        java.lang.reflect.Constructor<?> constructor =
                Class.forName("strata.Template", true, loader).getDeclaredConstructor();
        constructor.setAccessible(true);
        return (IntUnaryOperator) constructor.newInstance();
    }

    static void apply() {
        count = page.applyAsInt(count); // @applyPage
        count++; // @applied
    }

    static void run(String scenario) throws Exception {
        switch (scenario) {
            case "apply":
                apply();
                break;
            case "load":
                load(); // @load
                break;
            default:
                break;
        }
    }

    static void stop() {
        count = 0; // @stop
    }

    public static void main(String[] args) throws Exception {
        page = load();
        while (true) {
            stop();
            run(next);
        }
    }
}
