// SPDX-License-Identifier: Apache-2.0
package attributes;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.TreeSet;

/** All that reflection tells of a class, as text. */
final class Described {
    private final StringBuilder text = new StringBuilder();

    static String of(Class<?> type) throws ReflectiveOperationException {
        Described made = new Described();
        made.type(type);
        return made.text.toString();
    }

    private void line(String what, Object value) {
        text.append(what).append(": ").append(value instanceof Object[] ? Arrays.toString((Object[]) value) : value)
                .append('\n');
    }

    private void type(Class<?> type) throws ReflectiveOperationException {
        line("class", type.toGenericString());
        // All that is asked without arguments: newer VMs have more.
        TreeMap<String, Object> told = new TreeMap<>();
        for (Method method : Class.class.getMethods()) {
            String name = method.getName();
            if (method.getParameterCount() == 0 && (name.startsWith("is") || name.startsWith("get"))
                    && !name.matches("get(Class|ClassLoader|Module|Package|ProtectionDomain|Signers"
                            + "|(Declared)?(Fields|Methods|Constructors)|EnumConstants|.*Annot.*)")) {
                Object value = method.invoke(type);
                told.put(name, value instanceof Object[] ? sorted((Object[]) value) : value);
            }
        }
        told.forEach(this::line);
        annotations(type);
        parameters(type.getTypeParameters());
        annotated("superclass", type.getAnnotatedSuperclass());
        for (AnnotatedType each : type.getAnnotatedInterfaces()) {
            annotated("interface", each);
        }
        TreeMap<String, Field> fields = new TreeMap<>();
        for (Field each : type.getDeclaredFields()) {
            fields.put(each.getName(), each);
        }
        for (Field each : fields.values()) {
            field(each);
        }
        TreeMap<String, Executable> executables = new TreeMap<>();
        for (Executable each : type.getDeclaredMethods()) {
            executables.put(each.toString(), each);
        }
        for (Executable each : type.getDeclaredConstructors()) {
            executables.put(each.toString(), each);
        }
        for (Executable each : executables.values()) {
            executable(each);
        }
        components(type);
    }

    private static Object sorted(Object[] values) {
        TreeSet<String> texts = new TreeSet<>();
        for (Object each : values) {
            texts.add(String.valueOf(each));
        }
        return texts;
    }

    private void field(Field field) throws IllegalAccessException {
        line("field", field.toGenericString());
        line(" flags", field.getModifiers() + " " + field.isSynthetic());
        annotations(field);
        annotated(" type", field.getAnnotatedType());
        if (Modifier.isStatic(field.getModifiers()) && Modifier.isFinal(field.getModifiers())
                && field.trySetAccessible() && field.getType() != field.getDeclaringClass()
                && !field.getType().isArray()) {
            line(" value", field.get(null));
        }
    }

    private void executable(Executable executable) {
        line("method", executable.toGenericString());
        line(" flags", executable.getModifiers() + " " + executable.isSynthetic() + " " + executable.isVarArgs());
        annotations(executable);
        parameters(executable.getTypeParameters());
        for (Annotation[] annotations : executable.getParameterAnnotations()) {
            line(" parameter annotations", value(annotations));
        }
        line(" thrown", executable.getGenericExceptionTypes());
        if (executable instanceof Method) {
            line(" default", value(((Method) executable).getDefaultValue()));
            line(" more", ((Method) executable).isBridge() + " " + ((Method) executable).isDefault());
        }
        if (!(executable instanceof Constructor) || !executable.getDeclaringClass().isEnum()) {
            annotated(" returned", executable.getAnnotatedReturnType());
            annotated(" receiver", executable.getAnnotatedReceiverType());
            for (AnnotatedType each : executable.getAnnotatedExceptionTypes()) {
                annotated(" exception", each);
            }
            for (AnnotatedType each : executable.getAnnotatedParameterTypes()) {
                annotated(" taken", each);
            }
        }
        try {
            for (Parameter each : executable.getParameters()) {
                line(" parameter", each.getName() + " " + each.isNamePresent() + " " + each.getModifiers() + " "
                        + each.isImplicit() + " " + each.isSynthetic() + " " + each);
                annotations(each);
            }
        } catch (RuntimeException e) {
            line(" parameters", e);
        }
    }

    private void components(Class<?> type) throws ReflectiveOperationException {
        Object[] components;
        try {
            components = (Object[]) Class.class.getMethod("getRecordComponents").invoke(type);
        } catch (NoSuchMethodException e) {
            return; // an older VM
        }
        for (Object each : components == null ? new Object[0] : components) {
            line("component", each);
            line(" generic", each.getClass().getMethod("getGenericType").invoke(each));
            annotations((AnnotatedElement) each);
            annotated(" type", (AnnotatedType) each.getClass().getMethod("getAnnotatedType").invoke(each));
        }
    }

    private void parameters(TypeVariable<?>[] variables) {
        for (TypeVariable<?> each : variables) {
            line(" variable", each.getName());
            annotations(each);
            for (AnnotatedType bound : each.getAnnotatedBounds()) {
                annotated("  bound", bound);
            }
        }
    }

    private void annotations(AnnotatedElement element) {
        TreeSet<String> texts = new TreeSet<>();
        for (Annotation each : element.getDeclaredAnnotations()) {
            texts.add(annotation(each));
        }
        line("  annotations", texts);
    }

    // The elements in an order of their own: that of the VM is another one in each run.
    private static String annotation(Annotation annotation) {
        TreeMap<String, String> elements = new TreeMap<>();
        for (Method each : annotation.annotationType().getDeclaredMethods()) {
            try {
                each.setAccessible(true);
                elements.put(each.getName(), value(each.invoke(annotation)));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
        return annotation.annotationType() + " " + elements;
    }

    private static String value(Object value) {
        if (value instanceof Annotation) {
            return annotation((Annotation) value);
        }
        if (value instanceof Object[]) {
            StringBuilder all = new StringBuilder();
            for (Object each : (Object[]) value) {
                all.append(value(each)).append(',');
            }
            return "[" + all + "]";
        }
        return String.valueOf(value);
    }

    private void annotated(String what, AnnotatedType type) {
        if (type == null) {
            line(what, null);
            return;
        }
        line(what, type.getType());
        annotations(type);
        AnnotatedType[] parts = {};
        if (type instanceof AnnotatedParameterizedType) {
            parts = ((AnnotatedParameterizedType) type).getAnnotatedActualTypeArguments();
        } else if (type instanceof AnnotatedArrayType) {
            parts = new AnnotatedType[] {((AnnotatedArrayType) type).getAnnotatedGenericComponentType()};
        } else if (type instanceof AnnotatedWildcardType) {
            parts = ((AnnotatedWildcardType) type).getAnnotatedLowerBounds();
        }
        for (AnnotatedType each : parts) {
            annotated(what + " part", each);
        }
    }
}
