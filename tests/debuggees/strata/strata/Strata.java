// SPDX-License-Identifier: Apache-2.0
package strata;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/** Scenarios with a class that has a JSR-45 source map; the debugger names the next one at `stop`. */
public class Strata {
    static final String SOURCE_MAP = String.join("\n",
            "SMAP",
            "page_tpl.java",
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

    static final String SECTION = "*S Page\n*F\n1 page.tpl\n*L\n1#1:8\n";

    /** Maps for classes that are only loaded, by scenario. */
    static final Map<String, String> OTHER_MAPS = Map.of(
            "loadHeader", "SMAP\npage_tpl.java\nPage\n*E\n",
            "loadJava", "SMAP\npage_tpl.java\nPage\n*S Java\n*F\n1 other.java\n*L\n1#1:8\n" + SECTION + "*E\n",
            "loadBlanks", "SMAP\n  page tpl.java  \nPage\n" + SECTION.replace("tpl\n", "tpl  \n") + "*E\n",
            "loadEmpty", "SMAP\n\nPage\n" + SECTION + "*E\n",
            "loadWithoutEnd", "SMAP\npage_tpl.java\nPage\n" + SECTION,
            "loadMalformed", "SMAP\npage_tpl.java\nPage\n*S Page\n*F\nx page.tpl\n*L\n1#1:8\n*E\n",
            "loadMalformedLines", "SMAP\npage_tpl.java\nPage\n*S Page\n*F\n1 page.tpl\n*L\nx:8\n*E\n");

    static String next = "nothing";
    static int count;
    static IntUnaryOperator page;

    static IntUnaryOperator load(String map) throws Exception {
        ClassLoader loader = new ClassLoader(Strata.class.getClassLoader()) {
            @Override
            public Class<?> loadClass(String name) throws ClassNotFoundException {
                if (!name.equals("strata.Template")) {
                    return super.loadClass(name);
                }
                try (InputStream stream = Strata.class.getResourceAsStream("Template.class")) {
                    byte[] code = SourceMap.with(stream.readAllBytes(), map);
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
                load(SOURCE_MAP); // @load
                break;
            default:
                if (OTHER_MAPS.containsKey(scenario)) {
                    load(OTHER_MAPS.get(scenario)); // @loadOther
                }
                break;
        }
    }

    static void stop() {
        count = 0; // @stop
    }

    public static void main(String[] args) throws Exception {
        page = load(SOURCE_MAP);
        while (true) {
            stop();
            run(next);
        }
    }
}
