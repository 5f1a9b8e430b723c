// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.nio.file.Path;

/** Native methods that call back into Java; what they do in between is in natives.c. */
public class Natives {
    static String next = "nothing";
    static int count;
    static final Natives instance = new Natives();
    static final Object lock = new Object();

    int watched;

    // --- native ---------------------------------------------------------------------------------

    /** Calls twice(), and adds 1. */
    static native int calls(int number);

    /** The same on an instance: calls own(). */
    native int callsOwn(int number);

    /** Calls down() of the next lower number, which calls this one. */
    static native int descends(int number);

    /** Calls fails() and clears the exception, then twice(). */
    static native int swallows(int number);

    /** Calls fails() and returns at once. */
    static native int passes(int number);

    /** Calls fails(), and throws another exception in its place. */
    static native int replaces(int number);

    /** Throws an exception of its own. */
    static native int throwsItself(int number);

    /** Makes an object, whose class is initialised for it. */
    static native Object makes(int number);

    /** Reads and writes `watched`. */
    native int touches(int number);

    /** Enters the monitor of the object, calls twice(), leaves it. */
    static native int locks(Object object, int number);

    /** A thread that is not Java's comes in, calls twice() and goes. */
    static native int attaches(int number);

    /** The same, and the exception of fails() is cleared. */
    static native int attachesAndFails(int number);

    // --- called by them -------------------------------------------------------------------------

    static int twice(int number) {
        int result = 2 * number; // @twice
        return result; // @twiceEnd
    }

    int own(int number) {
        int result = number + watched; // @own
        return result; // @ownEnd
    }

    static int down(int number) {
        if (number == 0) {
            return 1; // @downBase
        }
        int below = descends(number); // @down
        return below + 1; // @downEnd
    }

    static int fails(int number) {
        if (number >= 0) {
            throw new IllegalStateException("fails"); // @fails
        }
        return number;
    }

    /** Made by native code only. */
    public static class Made {
        static int initialised = twice(20); // @initialised

        final int number;

        public Made(int number) {
            this.number = number; // @made
        } // @madeEnd
    }

    // --- the scenarios -------------------------------------------------------------------------------

    static void called() {
        count = calls(1); // @called
        count += instance.callsOwn(2); // @calledOwn
        count++; // @calledEnd
    }

    static void recursive() {
        count = down(3); // @recursive
        count++; // @recursiveEnd
    }

    static void swallowed() {
        count = swallows(3); // @swallowed
        count++; // @swallowedEnd
    }

    static void passed() {
        try {
            count = passes(4); // @passed
        } catch (IllegalStateException expected) {
            count = -1; // @passedCatch
        }
        count++; // @passedEnd
    }

    static void replaced() {
        try {
            count = replaces(5); // @replaced
        } catch (RuntimeException expected) {
            count = -2; // @replacedCatch
        }
        try {
            count = throwsItself(6); // @thrown
        } catch (RuntimeException expected) {
            count = -3; // @thrownCatch
        }
        count++; // @replacedEnd
    }

    static void made() {
        Object one = makes(7); // @making
        count = ((Made) one).number; // @makingEnd
    }

    static void touched() {
        count = instance.touches(8); // @touched
        count++; // @touchedEnd
    }

    static void locked() {
        synchronized (instance) {
            count = locks(lock, 9); // @locked
        }
        count++; // @lockedEnd
    }

    static void attached() {
        count = attaches(10); // @attached
        count += attachesAndFails(11); // @attachedAgain
        count++; // @attachedEnd
    }

    static void run(String scenario) {
        switch (scenario) {
            case "called":
                called();
                break;
            case "recursive":
                recursive();
                break;
            case "swallowed":
                swallowed();
                break;
            case "passed":
                passed();
                break;
            case "replaced":
                replaced();
                break;
            case "made":
                made();
                break;
            case "touched":
                touched();
                break;
            case "locked":
                locked();
                break;
            case "attached":
                attached();
                break;
            default:
                break;
        }
    }

    static void stop() {
        count = 0; // @stop
    }

    public static void main(String[] args) throws Exception {
        var classes = Natives.class.getProtectionDomain().getCodeSource().getLocation();
        System.load(Path.of(classes.toURI()).resolve("libnatives.so").toString());
        while (true) {
            stop();
            run(next);
        }
    }
}
