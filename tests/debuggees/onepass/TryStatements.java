// SPDX-License-Identifier: Apache-2.0

/** Statements with `try`, whose ends compilers copy. */
final class TryStatements {
    private TryStatements() {}

    static int at(String name, int value) {
        return Passes.at(name, value);
    }

    static int returnInTry(int n) {
        try {
            return at("return-in-try", n); // @return-in-try
        } finally {
            Passes.pass("finally"); // @finally
        }
    }

    static int returnInNestedTry(int n) throws Exception {
        try {
            try {
                if (n > 3) {
                    return at("return-in-nested-try", n) // @return-in-nested-try
                        + 1;
                }
                Passes.pass("nested-try"); // @nested-try
            } finally {
                Passes.pass("inner-finally"); // @inner-finally
            }
        } catch (IllegalStateException never) {
            throw new Exception(never);
        } finally {
            Passes.pass("outer-finally"); // @outer-finally
        }
        return 0;
    }

    static int breakOutOfTry(int n) {
        int left = n;
        while (left > 0) {
            try {
                if (left == 3) {
                    Passes.pass("break"); break; // @break
                }
            } finally {
                Passes.pass("finally-of-break"); // @finally-of-break
                left--;
            }
        }
        return left;
    }

    static int continueOutOfTry(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            try {
                if (i % 2 == 0) {
                    Passes.pass("continue"); continue; // @continue
                }
                sum += i;
            } finally {
                Passes.pass("finally-of-continue"); // @finally-of-continue
            }
        }
        return sum;
    }

    static int returnInCatch(int n) {
        try {
            return at("return-thrown", 10) / (n % 3); // @return-thrown
        } catch (ArithmeticException e) {
            return at("return-in-catch", n); // @return-in-catch
        } finally {
            Passes.pass("finally-of-catch"); // @finally-of-catch
        }
    }

    @SuppressWarnings("finally")
    static int returnInFinally(int n) {
        try {
            return at("returned-before", n) / (n % 3); // @returned-before
        } finally {
            Passes.pass("before-return"); // @before-return
            return at("return-in-finally", n) // @return-in-finally
                + 1;
        }
    }

    static final class Resource implements AutoCloseable {
        private final int n;

        Resource(int n) {
            this.n = n;
        }

        @Override
        public void close() {
            if (n == 5) {
                throw new IllegalStateException("close");
            }
        }
    }

    static int resource(int n) {
        try {
            try (Resource first = new Resource(at("resource", n)); // @resource
                Resource second = new Resource(at("second-resource", 1))) { // @second-resource
                Passes.pass("resource-body"); // @resource-body
                if (n % 3 == 0) {
                    throw new IllegalStateException("body");
                }
            }
        } catch (IllegalStateException e) {
            return at("resource-failed", 1); // @resource-failed
        }
        return 0;
    }

    static int returnWithResource(int n) {
        try (Resource made = new Resource(0)) {
            return at("return-with-resource", n) // @return-with-resource
                + 1;
        }
    }
}
