// SPDX-License-Identifier: Apache-2.0
package precise;

/** For what people mistype. */
final class Messages {
    private Messages() {}

    enum Level {
        LOW {
            @Override
            int rank() {
                return 1;
            }
        };

        abstract int rank();
    }

    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static void visit() {
        int[] ints = {1, 2};
        Object object = 1;
        Number number = 1;
        Integer boxed = 1;
        Byte small = 1;
        System.out.println(ints.length + fib(3) + "" + object + number + boxed + small); // @messages
    }
}
