// SPDX-License-Identifier: Apache-2.0
package throwing;

import throwing.Main.Boom;

/** Exceptions that are thrown elsewhere than they are made, as to the handlers around. */
final class Kept {
    private static int caught;

    private Kept() {}

    private static Boom madeInTry() {
        Boom boom = null;
        try {
            boom = new Boom("made in a try, returned");
            return boom;
        } catch (Boom never) {
            return never;
        }
    }

    private static void throwMadeInTry() {
        Boom boom;
        try {
            boom = new Boom("made in a try");
        } catch (Boom never) {
            return;
        }
        throw boom;
    }

    static void ways() {
        Main.way("made in a try, thrown after it", Kept::throwMadeInTry);
        Main.way("made before a try, thrown in it", () -> {
            Boom boom = new Boom("made before a try");
            try {
                throw boom;
            } catch (Boom expected) {
                caught++;
            }
        });
        Main.way("made in a try, returned by it", () -> {
            throw madeInTry();
        });
        Main.way("thread: uncaught, made in a try", () -> Main.joined(Kept::throwMadeInTry));
        Main.way("thread: uncaught, returned by a try", () -> Main.joined(() -> {
            throw madeInTry();
        }));
        Main.way("thread: uncaught, caught before", () -> Main.joined(() -> {
            try {
                Main.fail("in a thread");
            } catch (Main.Boom boom) {
                if (Main.nothing == null) {
                    throw boom;
                }
            }
        }));
    }
}
