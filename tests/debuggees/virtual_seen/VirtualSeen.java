// SPDX-License-Identifier: Apache-2.0

/** So many virtual threads that pass a line again and again, until its input ends. */
public final class VirtualSeen {
    private VirtualSeen() {}

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[0]);
        for (int number = 0; number < count; number++) {
            Thread.ofVirtual().start(VirtualSeen::live);
        }
        System.out.println("at work");
        while (System.in.read() >= 0) {
            Thread.onSpinWait();
        }
    }

    private static void live() {
        try {
            while (true) {
                Thread.sleep(50); // @seen
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }
}
