// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** So many threads that wait, 20 calls deep: platform threads, or virtual ones. */
public final class ManyThreads {
    private ManyThreads() {}

    private static void waitAt(int depth, CountDownLatch ready) {
        if (depth > 0) {
            waitAt(depth - 1, ready);
            return;
        }
        ready.countDown();
        while (true) {
            LockSupport.park(ready);
        }
    }

    public static void main(String[] arguments) throws Exception {
        int count = Integer.parseInt(arguments[1]);
        CountDownLatch ready = new CountDownLatch(count);
        Runnable body = () -> waitAt(18, ready);
        for (int each = 0; each < count; ++each) {
            if (arguments[0].equals("virtual")) { // reflection: this is compiled for Java 17 too
                Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, body);
            } else {
                Thread thread = new Thread(null, body, "waiting " + each, 1 << 18);
                thread.setDaemon(true);
                thread.start();
            }
        }
        ready.await();
        System.out.println("ready");
        System.in.read();
    }
}
