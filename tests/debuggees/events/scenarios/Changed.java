// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * A class of which a debugger changes the code, and what it becomes. The names are of one length, so
 * the class file of one is a class file of another when the name in it is replaced.
 */
class Changed {
    static int count = 1;
    int field = 2;

    static int value() {
        return 1;
    }

    private int hidden(int number) {
        return number + field;
    }

    int open() {
        return hidden(3);
    }
}

/** Other bodies: the change that HotSpot can do. */
class ChangeB {
    static int count = 1;
    int field = 2;

    static int value() {
        int value = 10;
        return value + 1;
    }

    private int hidden(int number) {
        return 2 * number;
    }

    int open() {
        return hidden(4);
    }
}

/** One method more. */
class ChangeA {
    static int count = 1;
    int field = 2;

    static int value() {
        return 1;
    }

    private int hidden(int number) {
        return number + field;
    }

    int open() {
        return hidden(3);
    }

    int added() {
        return 4;
    }
}

/** One method less. */
class ChangeD {
    static int count = 1;
    int field = 2;

    static int value() {
        return 1;
    }

    private int hidden(int number) {
        return number + field;
    }
}

/** One field more. */
class ChangeF {
    static int count = 1;
    int field = 2;
    int other = 3;

    static int value() {
        return 1;
    }

    private int hidden(int number) {
        return number + field;
    }

    int open() {
        return hidden(3);
    }
}

/** A field of another type. */
class ChangeT {
    static int count = 1;
    long field = 2;

    static int value() {
        return 1;
    }

    private int hidden(int number) {
        return number + (int) field;
    }

    int open() {
        return hidden(3);
    }
}

/** Another superclass. */
class ChangeS extends Exception {
    private static final long serialVersionUID = 1;
    static int count = 1;
    int field = 2;

    static int value() {
        return 1;
    }

    private int hidden(int number) {
        return number + field;
    }

    int open() {
        return hidden(3);
    }
}

/** One interface more. */
class ChangeI implements java.io.Serializable {
    static int count = 1;
    int field = 2;

    static int value() {
        return 1;
    }

    private int hidden(int number) {
        return number + field;
    }

    int open() {
        return hidden(3);
    }
}

/** Another modifier of the class. */
final class ChangeC {
    static int count = 1;
    int field = 2;

    static int value() {
        return 1;
    }

    private int hidden(int number) {
        return number + field;
    }

    int open() {
        return hidden(3);
    }
}

/** Another modifier of a method. */
class ChangeM {
    static int count = 1;
    int field = 2;

    static synchronized int value() {
        return 1;
    }

    private int hidden(int number) {
        return number + field;
    }

    int open() {
        return hidden(3);
    }
}

/** A nested class, so an attribute that says so. */
class ChangeN {
    static int count = 1;
    int field = 2;

    static int value() {
        return 1;
    }

    private int hidden(int number) {
        return number + field;
    }

    int open() {
        return hidden(3);
    }

    static class Nested {}
}

/** Loaded and not linked before a debugger changes it. */
class ChangeU {}

/** Another superclass, and that is one of its own superclasses: see Circling. */
class ChangeO extends ChangeX {}

class ChangeX extends ChangeY {}

class ChangeY {}

class ChangeZ extends ChangeX {}

/** Defines Circled, a Changed of its own; and for ChangeY the code of ChangeZ, which extends ChangeX. */
class Circling extends ClassLoader {
    Circling() {
        super(Circling.class.getClassLoader());
    }

    @Override
    public Class<?> loadClass(String name) throws ClassNotFoundException {
        switch (name) {
            case "scenarios.Circled":
                return define("Changed", "Circled");
            case "scenarios.ChangeX":
                return define("ChangeX", "ChangeX");
            case "scenarios.ChangeY":
                return define("ChangeZ", "ChangeY");
            default:
                return super.loadClass(name);
        }
    }

    private Class<?> define(String from, String name) throws ClassNotFoundException {
        try (InputStream stream = Circling.class.getResourceAsStream(from + ".class")) {
            String text = new String(stream.readAllBytes(), StandardCharsets.ISO_8859_1);
            byte[] code = text.replace(from, name).getBytes(StandardCharsets.ISO_8859_1);
            return defineClass("scenarios." + name, code, 0, code.length);
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }
}
