// SPDX-License-Identifier: Apache-2.0
package evaluate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Methods whose names tell nothing: the parameters decide. */
class Overloads {
    final String which;

    Overloads() {
        which = "()";
    }

    Overloads(long number) {
        which = "long";
    }

    Overloads(CharSequence text) {
        which = "CharSequence";
    }

    Overloads(int... numbers) {
        which = "int...";
    }

    String of() {
        return "()";
    }

    String of(int number) {
        return "int";
    }

    String of(long number) {
        return "long";
    }

    String of(double number) {
        return "double";
    }

    String of(Integer number) {
        return "Integer";
    }

    String of(Object object) {
        return "Object";
    }

    String of(CharSequence text) {
        return "CharSequence";
    }

    String of(String text) {
        return "String";
    }

    String of(int first, long second) {
        return "int, long";
    }

    String of(int... numbers) {
        return "int...";
    }

    String widened(long number) {
        return "long";
    }

    String widened(Integer number) {
        return "Integer";
    }

    String boxed(Object object) {
        return "Object";
    }

    String boxed(Integer number) {
        return "Integer";
    }

    String boxed(int... numbers) {
        return "int...";
    }

    String array(Object first, String second) {
        return "Object, String";
    }

    String array(Object first, Object second) {
        return "Object, Object";
    }

    int strings(String... texts) {
        return texts.length;
    }

    String objects(Object... objects) {
        return objects.length + " objects";
    }

    String number(Number number) {
        return number.getClass().getSimpleName();
    }

    String list(Collection<?> items) {
        return "Collection";
    }

    String list(List<?> items) {
        return "List";
    }

    String list(ArrayList<?> items) {
        return "ArrayList";
    }

    <T> T generic(T value) {
        return value;
    }
}
