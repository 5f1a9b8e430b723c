// SPDX-License-Identifier: Apache-2.0

/** Two threads without names, one after the other: a platform thread, then a virtual one if the VM has them. */
public final class Nameless {
    private Nameless() {}

    public static void main(String[] args) throws Exception {
        Thread platform = new Thread(Nameless::work, "");
        platform.start();
        platform.join();
        if (Runtime.version().feature() >= 21) {
            Runnable work = Nameless::work;
            Object thread = Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
            ((Thread) thread).join();
        }
        System.out.println("done");
    }

    private static void work() {
        Thread current = Thread.currentThread();
        String text = current.toString();
        boolean isVirtual = text.startsWith("VirtualThread");
        String shown = isVirtual ? text.substring(0, text.indexOf(']') + 1) : "Thread[#" + current.getId() + "]";
        String called = call(shown); // @work
        if (called.isEmpty()) { // @logged
            throw new IllegalStateException();
        }
    }

    private static String call(String shown) {
        return shown;
    }
}
