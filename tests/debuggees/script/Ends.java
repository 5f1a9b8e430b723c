// SPDX-License-Identifier: Apache-2.0
/** Threads that die, one in a way in which nobody sees the exception thrown. */
public final class Ends {
    static final RuntimeException KEPT = new IllegalStateException("kept");

    private Ends() {}

    static int deep(int depth) {
        return deep(depth + 1) + 1;
    }

    static void fails(String text) {
        throw new IllegalArgumentException(text); // @fails
    }

    static void keeps() {
        throw KEPT; // @keeps
    }

    static void joined(String name, Runnable work) throws InterruptedException {
        Thread thread = new Thread(work, name);
        thread.start();
        thread.join();
    }

    public static void main(String[] args) throws Exception {
        joined("deep", () -> deep(0));
        joined("kept", Ends::keeps);
        joined("kept again", Ends::keeps);
        if (Runtime.version().feature() >= 21) {
            Thread virtual = (Thread) Thread.class
                    .getMethod("startVirtualThread", Runnable.class)
                    .invoke(null, (Runnable) () -> fails("virtual"));
            virtual.join();
        }
        fails("main");
    }
}
