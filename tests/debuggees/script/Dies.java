// SPDX-License-Identifier: Apache-2.0
import java.util.List;

/** A thread dies and the program goes on; then the program does, in code of the JDK. */
public final class Dies {
    private Dies() {}

    static int parsed(List<String> texts, int index) {
        String text = texts.get(index);
        return Integer.parseInt(text); // @dies
    }

    static void waits(int round) throws InterruptedException {
        int next = round + 1;
        Thread.sleep(50); int behind = next; // @sleeps
        if (behind < 0) System.out.println(behind); // @behind
    }

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> { throw new IllegalStateException("first"); }, "worker");
        worker.start();
        worker.join();
        System.out.println("goes on");
        for (int i = 0; args.length > 0; i++) {
            waits(i);
        }
        System.out.println(parsed(List.of("1", "x"), 1));
    }
}
