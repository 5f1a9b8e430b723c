// SPDX-License-Identifier: Apache-2.0

/** One thread looks for a class that is not there, another goes on meanwhile. */
public class Missing {
    private static volatile boolean isFound;
    private static int n;

    public static void main(String[] args) throws InterruptedException {
        Thread looking = new Thread(Missing::look, "looking");
        looking.start(); // @ready
        while (!isFound) {
            pass();
            Thread.sleep(1);
        }
        looking.join();
        System.out.println("done");
    }

    private static void look() {
        try {
            Class.forName("no.such.Type");
        } catch (ClassNotFoundException expected) {
            isFound = true;
        }
    }

    private static void pass() {
        n++; // @pass
    }
}
