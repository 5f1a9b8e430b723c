// SPDX-License-Identifier: Apache-2.0

/** Two threads run the same methods, one of them in a method that never returns. */
public final class Steps {
    interface Shape {
        int area(int side);
    }

    static final class Square implements Shape {
        @Override
        public int area(int side) {
            int all = side * side; // @square
            return all;
        }
    }

    static final class Circle implements Shape {
        @Override
        public int area(int side) {
            int all = 3 * side * side; // @circle
            return all;
        }
    }

    static volatile boolean goOn = true;
    static volatile long others;
    static volatile long rounds;

    private Steps() {}

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(Steps::others, "other");
        other.setDaemon(true);
        other.start();
        System.out.println("begun");
        for (int number = 0; goOn; number++) {
            round(number);
            Thread.sleep(1);
        }
    }

    private static void others() {
        for (int number = 0; goOn; number++) {
            round(-number);
            others++;
            Thread.yield();
        }
    }

    private static void round(int number) {
        int result = work(number); // @call
        rounds += result; // @called
    } // @roundEnd

    private static int work(int number) {
        int sum = number; // @first
        if (number % 2 == 0) { // @branch
            sum += 10; // @even
        } else {
            sum += 20; // @odd
        }
        Shape shape = number % 2 == 0 ? new Square() : new Circle(); // @shape
        int area = shape.area(3); // @area
        try {
            check(number); // @check
            sum++; // @unchecked
        } catch (IllegalStateException wrong) { // @catch
            sum--; // @caught
        }
        for (int left = 2; left > 0; left--) { // @loop
            sum += left; // @inLoop
        }
        return sum + area; // @return
    }

    private static void check(int number) {
        if (number % 3 == 0) { // @checking
            throw new IllegalStateException();
        }
    }
}
