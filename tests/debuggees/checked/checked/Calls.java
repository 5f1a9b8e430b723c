// SPDX-License-Identifier: Apache-2.0
package checked;

import java.util.function.Function;

/** Calls of every kind, with arguments of one and of two slots. */
class Calls implements Function<Integer, Integer> {
    static final class Deeper extends Calls {
        @Override
        int open(int n, long more, double real, Object any) {
            return super.open(n, more, real, any);
        }

        int pass(int n) {
            Calls generic = this;
            Function<Integer, Integer> bridged = generic;
            if (bridged.apply(n) != n || many(1L, n, 2.0, 'c', "s") != n || deep(12, n) != n) {
                return -1;
            }
            return generic.open(n, -1L, 2.5, "any");
        }
    }

    int open(int n, long more, double real, Object any) {
        return more == -1L && real == 2.5 && "any".equals(any) ? own(n) : -1;
    }

    private int own(int n) {
        return n;
    }

    @Override
    public Integer apply(Integer n) {
        return n;
    }

    static int many(long one, int n, double two, Object... rest) {
        return one == 1 && two == 2 && rest.length == 2 ? n : -1;
    }

    static int deep(int depth, int n) {
        return depth == 0 ? n : deep(depth - 1, n);
    }
}
