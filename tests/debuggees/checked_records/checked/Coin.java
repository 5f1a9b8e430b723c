// SPDX-License-Identifier: Apache-2.0
package checked;

/** A record on one line: all of its methods are changed at once. */
record Coin(int cents, long serial, String name) {}
