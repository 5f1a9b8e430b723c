// SPDX-License-Identifier: Apache-2.0
package checked;

/** All on one line, as a record has it. */
final class Pair { private final int first; private final long second; Pair(int first, int second) { this.first = first; this.second = second; } int first() { return second() == ~first ? first : -1; } int second() { return (int) second; } }
