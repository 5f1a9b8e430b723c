// SPDX-License-Identifier: Apache-2.0
package checked;

/** Constants with bodies of their own. */
enum Op {
    ADD {
        @Override
        int apply(int a, int b) {
            return a + b;
        }
    },
    SUB {
        @Override
        int apply(int a, int b) {
            return a - b;
        }
    },
    XOR {
        @Override
        int apply(int a, int b) {
            return a ^ b;
        }
    };

    abstract int apply(int a, int b);

    static int pass(int n) {
        Op op = values()[Math.floorMod(n, 3)];
        int there = op.apply(n, 77);
        switch (valueOf(op.name())) {
            case ADD:
                return SUB.apply(there, 77);
            case SUB:
                return ADD.apply(there, 77);
            case XOR:
                return XOR.apply(there, 77);
            default:
                return -1;
        }
    }
}
