// SPDX-License-Identifier: Apache-2.0
package throwing;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import throwing.Main.Boom;

/** Exceptions that are thrown by others than those that make them. */
final class Given {
    private static final class Holder {
        final Boom held;

        Holder(Boom held) {
            this.held = held;
        }

        Boom taken() {
            return held;
        }

        Boom with(Throwable other) {
            held.addSuppressed(other);
            return held;
        }
    }

    private static final class Raiser {
        static void raise(Boom boom) {
            throw boom;
        }

        void raiseIt(RuntimeException thrown, int ignored) {
            throw thrown;
        }
    }

    private static final Holder HOLDER = new Holder(new Boom("held"));
    private static int caught;

    private Given() {}

    static void ways() {
        Main.way("given: by a field", () -> {
            throw HOLDER.held;
        });
        Main.way("given: by a method of another class", () -> {
            throw HOLDER.taken();
        });
        Main.way("given: by one that has changed it", () -> {
            throw new Holder(new Boom("changed")).with(new Boom("suppressed"));
        });
        Main.way("given: by a supplier", () -> {
            Supplier<Boom> supplier = () -> new Boom("supplied");
            throw supplier.get();
        });
        Main.way("given: to a static method of another class", () -> Raiser.raise(new Boom("raised")));
        Main.way("given: to a method of an object", () -> new Raiser().raiseIt(new Boom("raised"), 1));
        Main.way("given: twice in one method", Given::twice);
        Main.way("given: through finally", () -> {
            try {
                throw HOLDER.held;
            } finally {
                caught++;
            }
        });
        Main.way("given: caught and given to another", () -> {
            try {
                Main.fail("given again");
            } catch (Boom boom) {
                Raiser.raise(boom);
            }
        });
        Main.way("given: by a future's cause", Given::byFuture);
        Main.way("given: one of two", () -> {
            Boom first = caught < 0 ? HOLDER.held : new Boom("the other");
            throw first;
        });
        Main.way("thread: given", () -> Main.joined(() -> {
            throw HOLDER.held;
        }));
    }

    private static void twice() {
        try {
            throw HOLDER.held;
        } catch (Boom boom) {
            caught++;
        }
        throw HOLDER.taken();
    }

    private static void byFuture() throws Throwable {
        FutureTask<Integer> task = new FutureTask<>(() -> Main.fail("in a task"));
        task.run();
        try {
            task.get();
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }
}
