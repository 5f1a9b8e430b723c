// SPDX-License-Identifier: Apache-2.0
package precise;

import static expect.Expect.is;
import static expect.Expect.stop;

import precise.lib.Base;
import precise.lib.Shadowed;

/** A name has another meaning if a class that is not loaded yet is left out. */
class Names extends Base implements HasNest {
    static class Nest {
        static String who() {
            return "Names.Nest";
        }

        static class Deep {
            static String who() {
                return "Names.Nest.Deep";
            }
        }
    }

    static class Derived extends Names {
        static class Late {
            static String who() {
                return "Derived.Late";
            }
        }
    }

    void visit() {
        is(Nest.who());
        is(Names.Nest.who());
        is(Base.Nest.who());
        is(HasNest.Nest.who());
        is(Names.Nest.Deep.who());
        is(Nest.Deep.who());
        is(Derived.Nest.who());
        is(Derived.Late.who());
        is(Shadowed.who());
        is(Thread.who());
        is(precise.lib.Thread.who());
        is(java.lang.Thread.MAX_PRIORITY);
        is(new Nest() instanceof Nest);
        is(((Object) new Base.Nest()) instanceof Nest);
        is(Names.Derived.Late.class.getName());
        is(Only.class.getName());
        is(Twice.VALUE);
        is(new Twice().value());
        stop(); // @names
    }

    /** Declared by a superclass of Base too, and less near. */
    static class Twice {
        static final String VALUE = "Names.Twice" + Names.class.getName().length();

        String value() {
            return "of Names";
        }
    }
}

interface HasNest {
    class Nest {
        static String who() {
            return "HasNest.Nest";
        }
    }
}

/** Of the package: it hides the class of java.lang. */
final class Thread {
    private Thread() {}

    static String who() {
        return "precise.Thread";
    }
}

/** Used by the test alone. */
final class Bad {
    static int value = Integer.parseInt("not a number");

    static int go() {
        return value;
    }
}

final class Worse {
    static final Object MADE = fail();

    private static Object fail() {
        throw new IllegalStateException("worse");
    }
}

final class Worst {
    static final int CONSTANT = 5;
    static final Object MADE = Worse.MADE;
}
