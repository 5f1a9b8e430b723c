// SPDX-License-Identifier: Apache-2.0

/** Ends in the way that its argument names, when it is told to, beside two daemon threads. */
public final class Ends {
    static int turned;
    static volatile boolean told; // set by the debugger, if nothing is written to its input

    private Ends() {}

    static int turn(int by) {
        turned += by; // @turn
        return turned;
    }

    static int slow() throws InterruptedException {
        for (int moment = 0; moment < 10; moment++) {
            Thread.sleep(5);
        }
        return turned;
    }

    static void spin() {
        for (int round = 0; ; round++) {
            int now = turn(round); // @spin
            turn(-now);
        }
    }

    static void begin() {
        for (int each = 0; each < 2; each++) {
            Thread spinner = new Thread(Ends::spin, "spinner-" + each);
            spinner.setDaemon(true);
            spinner.start();
        }
    }

    static void breed() {
        while (true) {
            Thread child = new Thread(() -> turned++);
            child.setDaemon(true);
            child.start();
        }
    }

    public static void main(String[] args) throws Exception {
        begin();
        for (int each = 0; each < Integer.getInteger("breeders", 0); each++) {
            Thread breeder = new Thread(Ends::breed, "breeder-" + each);
            breeder.setDaemon(true);
            breeder.start();
        }
        System.out.println("ready"); // @ready
        while (!told && System.in.available() == 0) {
            Thread.sleep(1);
        }
        Thread.sleep(turned & 7); // in the middle of something, anywhere
        System.out.println("ends"); // @ends
        switch (args[0]) {
            case "exit":
                System.exit(7);
                break;
            case "halt":
                Runtime.getRuntime().halt(8);
                break;
            case "uncaught":
                throw new IllegalStateException("the end");
            case "interrupted":
                Thread.sleep(60_000);
                break;
            default:
                break;
        }
    }
}
