// SPDX-License-Identifier: Apache-2.0
package checked;

/** Exceptions that are thrown and caught, and what `finally` does on every way. */
final class Finally {
    private static final class Own extends RuntimeException {
        private static final long serialVersionUID = 1;
        final int code;

        Own(int code) {
            super(null, null, false, false);
            this.code = code;
        }
    }

    private static final class Closing implements AutoCloseable {
        final int[] count;

        Closing(int[] count) {
            this.count = count;
        }

        @Override
        public void close() {
            count[0]++;
        }
    }

    private Finally() {}

    static int pass(int n) {
        int[] count = new int[1];
        int found = 0;
        for (int way = 0; way < 4; ++way) {
            found += tried(n, way, count);
        }
        return count[0] == 8 && found == 4 * n ? n : -1;
    }

    private static int tried(int n, int way, int[] count) {
        try (Closing closing = new Closing(count)) {
            switch (way) {
                case 0:
                    return n;
                case 1:
                    throw new Own(n);
                case 2:
                    Object none = null;
                    return none.hashCode();
                default:
                    break;
            }
        } catch (Own own) {
            return own.code;
        } catch (NullPointerException error) {
            return n;
        } finally {
            count[0]++;
        }
        return n;
    }
}
