// SPDX-License-Identifier: Apache-2.0
package busy;

/** Two sides of a book, changed together under one lock, with waiting in it. */
final class Ledger {
    private long given;
    private long taken;
    private boolean turn;

    synchronized void book(long amount) throws InterruptedException {
        given += amount;
        turn = !turn;
        notifyAll();
        boolean mine = turn;
        if (amount % 64 == 0 && !Busy.over) {
            wait(1);
        }
        turn = mine;
        taken += amount;
    }

    synchronized void wake() {
        notifyAll();
    }

    synchronized boolean isBalanced() {
        return given == taken && given > 0;
    }
}
