// SPDX-License-Identifier: Apache-2.0

import java.util.ArrayList;
import java.util.List;

/** Threads that do nothing but throw and catch, until the debugger says that it is enough. */
public class Catching {
    static final class Problem extends RuntimeException {
        Problem() {
            super(null, null, false, false);
        }
    }

    static final Problem PROBLEM = new Problem();
    static volatile boolean enough;

    static int fails(int number) {
        if (number >= 0) {
            throw PROBLEM;
        }
        return number;
    }

    static int catches(int number) {
        try {
            return fails(number);
        } catch (Problem problem) { // @caught
            return number + 1;
        }
    }

    static void goOn() {
        int sum = 0;
        while (!enough) {
            sum = catches(sum & 0xff);
        }
        System.out.println("enough after " + (sum >= 0));
    }

    /** "platform" or "virtual", which need Java 21. */
    static Thread started(String kind) throws ReflectiveOperationException {
        Runnable work = Catching::goOn;
        if (kind.equals("virtual")) {
            return (Thread)
                    Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
        }
        Thread thread = new Thread(work);
        thread.start();
        return thread;
    }

    public static void main(String[] arguments) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int index = 0; index < 3; ++index) {
            threads.add(started(arguments[0])); // @begin
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
