// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.util.concurrent.locks.LockSupport;

/** Scenarios on virtual threads; the debugger names the next one at `stop`. */
public class Virtual {
    static String next = "nothing";
    static int count;
    static Thread waiter;
    static final Error error = new Error("thrown by the debugger");

    static int leaf(int number) {
        return number + 1; // @leaf
    }

    static void body() {
        int value = leaf(1); // @body
        Thread.yield(); // @yield
        value = leaf(value); // @afterYield
        count = value; // @bodyEnd
    }

    static void failing() {
        throw new IllegalStateException("in a virtual thread"); // @failing
    }

    static void waiting() {
        Object own = "waiting";
        LockSupport.park(); // @parking
        count = own.hashCode();
    }

    static void parked() throws InterruptedException {
        waiter = Thread.ofVirtual().name("waiter").start(Virtual::waiting);
        while (waiter.getState() != Thread.State.WAITING) {
            Thread.sleep(1);
        }
        here(); // @parked
        LockSupport.unpark(waiter);
        waiter.join();
    }

    static void here() {}

    static void runVirtual(String name, Runnable body) throws InterruptedException {
        Thread thread = Thread.ofVirtual().name(name).uncaughtExceptionHandler((t, e) -> count++).unstarted(body);
        thread.start(); // @unstarted
        while (thread.isAlive()) {
            Thread.sleep(1);
        }
    }

    static void run(String scenario) throws InterruptedException {
        switch (scenario) {
            case "body":
                runVirtual("virtual", Virtual::body);
                break;
            case "failing":
                runVirtual("failing", Virtual::failing);
                break;
            case "nameless":
                runVirtual("", Virtual::body);
                break;
            case "parked":
                parked();
                break;
            default:
                break;
        }
    }

    static void stop() {
        count = 0; // @stop
    }

    public static void main(String[] args) throws InterruptedException {
        while (true) {
            stop();
            run(next);
        }
    }
}
