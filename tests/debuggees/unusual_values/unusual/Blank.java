// SPDX-License-Identifier: Apache-2.0
package unusual;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/** Objects before their constructors have run: every field is null or zero. */
final class Blank {
    private Blank() {}

    static Object of(Class<?> type) throws Exception {
        Class<?> unsafe = Class.forName("sun.misc.Unsafe");
        Field instance = unsafe.getDeclaredField("theUnsafe");
        instance.setAccessible(true);
        return unsafe.getMethod("allocateInstance", Class.class).invoke(instance.get(null), type);
    }

    /** One of each of these classes that this VM has and that can have objects. */
    static List<Object> all(String... names) throws Exception {
        List<Object> found = new ArrayList<>();
        for (String name : names) {
            try {
                Class<?> type = Class.forName(name);
                boolean isClass = type != Class.class && !type.isEnum();
                if (isClass && !Modifier.isAbstract(type.getModifiers())) {
                    found.add(of(type));
                }
            } catch (ClassNotFoundException absent) {
                System.out.println("absent: " + name);
            }
        }
        return found;
    }
}
