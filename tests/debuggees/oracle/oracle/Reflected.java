// SPDX-License-Identifier: Apache-2.0
package oracle;

import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;

/** What reflection says of classes, in lines that can be compared. */
final class Reflected {
    private final List<String> lines = new ArrayList<>();

    private Reflected() {}

    static void write(Path file, List<Class<?>> classes) throws IOException {
        Reflected all = new Reflected();
        for (Class<?> each : classes) {
            all.add(each);
        }
        Collections.sort(all.lines);
        Files.write(file, all.lines);
    }

    private void add(Class<?> type) {
        String name = type.getName();
        say(name, "class", () -> type.toGenericString() + " " + type.getModifiers() + annotations(type));
        say(name, "extends", () -> type.getGenericSuperclass() + " " + Arrays.toString(type.getGenericInterfaces()));
        say(name, "nest", () -> type.getNestHost().getName() + " " + names(type.getNestMembers()));
        say(name, "inner", () -> type.getEnclosingClass() + " " + type.getEnclosingMethod() + " " + names(type.getDeclaredClasses()));
        say(name, "newer", () -> newer(type));
        try {
            for (Field each : type.getDeclaredFields()) {
                say(name, "field " + each.getName(), () -> each.toGenericString() + " " + each.getModifiers() + annotations(each));
            }
            for (Method each : type.getDeclaredMethods()) {
                String which = "method " + each.getName() + descriptor(each) + each.getReturnType().getName();
                executable(name, which, each);
                say(name, which + " default", () -> value(each.getDefaultValue()));
            }
            for (Executable each : type.getDeclaredConstructors()) {
                executable(name, "constructor " + descriptor(each), each);
            }
        } catch (LinkageError error) {
            lines.add(name + " members: " + error);
        }
    }

    private void executable(String name, String which, Executable each) {
        say(name, which, () -> each.toGenericString() + " " + each.getModifiers() + annotations(each));
        say(name, which + " parameters", () -> {
            StringBuilder text = new StringBuilder();
            for (Parameter parameter : each.getParameters()) {
                text.append(parameter.isNamePresent()).append(' ').append(parameter.getModifiers()).append(' ')
                        .append(parameter).append(annotations(parameter)).append("; ");
            }
            return text.toString();
        });
    }

    /** What came after Java 11: records' components and permitted subclasses. */
    private static String newer(Class<?> type) throws ReflectiveOperationException {
        StringBuilder text = new StringBuilder();
        for (String each : new String[] {"getRecordComponents", "getPermittedSubclasses"}) {
            Method asks;
            try {
                asks = Class.class.getMethod(each);
            } catch (NoSuchMethodException error) {
                continue;
            }
            Object[] found = (Object[]) asks.invoke(type);
            text.append(found == null ? "none" : Arrays.toString(found)).append(' ');
        }
        return text.toString();
    }

    private void say(String name, String what, Callable<String> text) {
        String said;
        try {
            said = text.call();
        } catch (Exception | LinkageError error) {
            said = error.toString();
        }
        lines.add(name + " " + what + ": " + said.replace('\n', ' '));
    }

    private static String descriptor(Executable each) {
        return names(each.getParameterTypes());
    }

    private static String names(Class<?>[] types) {
        List<String> names = new ArrayList<>();
        for (Class<?> each : types) {
            names.add(each.getName());
        }
        return names.toString();
    }

    private static String annotations(AnnotatedElement element) {
        String[] found = Arrays.stream(element.getDeclaredAnnotations()).map(Object::toString).toArray(String[]::new);
        Arrays.sort(found);
        return " " + Arrays.toString(found);
    }

    private static String value(Object value) {
        return value == null ? "" : Arrays.deepToString(new Object[] {value});
    }
}
