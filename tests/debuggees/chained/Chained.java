// SPDX-License-Identifier: Apache-2.0

/** Fields that are read and written by the instruction behind a call. */
public final class Chained {
    private final String text = "right";
    private Chained stored;
    private int passed;

    private Chained self() {
        return this; // @self
    }

    private String read() {
        return self().text; // @read
    }

    private void write() {
        stored = self(); // @write
    }

    private void pass(int n) {
        passed += n; // @pass
    }

    public static void main(String[] args) {
        Chained chained = new Chained();
        for (int i = 0; i < 50_000; i++) {
            chained.read(); // resolved by the interpreter, then compiled
            chained.write();
        }
        System.out.println("ready"); // @ready
        for (int i = 0; i < 4; i++) {
            String text = chained.read();
            chained.write();
            chained.pass(i);
            if (!"right".equals(text) || chained.stored != chained || chained.hashCode() == 0) {
                System.out.println("wrong: " + text);
                System.exit(3);
            }
        }
        System.out.println("passed " + chained.passed); // @passed
    }
}
