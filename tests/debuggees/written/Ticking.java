// SPDX-License-Identifier: Apache-2.0
// Writes fields until it is ended.
public class Ticking {
    static long passes;
    private final int number;
    private Object last;
    private double share;

    Ticking(int number) {
        this.number = number;
        last = "made"; // @made
    }

    void tick() {
        last = "tick " + passes; // @tick
        share += 0.5; // @share
    }

    static void pass() {
        passes++; // @passes
        new Ticking((int) (passes % 3)).tick();
    }

    public static void main(String[] arguments) throws InterruptedException {
        System.out.println("running");
        while (true) {
            pass();
            Thread.sleep(1);
        }
    }
}
