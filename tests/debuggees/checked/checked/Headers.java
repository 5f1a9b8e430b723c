// SPDX-License-Identifier: Apache-2.0
package checked;

/** What the VM keeps in the header of an object: its hash, its lock, its class. */
final class Headers {
    private static final Object LOCK = new Object();
    private static int guarded;
    private int stored;

    private Headers() {}

    static int pass(int n) {
        Headers one = new Headers();
        int hash = System.identityHashCode(one);
        one.stored = n;
        synchronized (one) {
            one.stored ^= 5;
            one.stored ^= 5;
        }
        synchronized (LOCK) {
            int before = guarded;
            guarded = n;
            guarded = before + 1;
            if (guarded != before + 1) {
                return -1;
            }
        }
        boolean isSame = one.getClass() == Headers.class && System.identityHashCode(one) == hash;
        return isSame ? one.stored : -2;
    }
}
