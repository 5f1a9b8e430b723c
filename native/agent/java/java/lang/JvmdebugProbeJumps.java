// SPDX-License-Identifier: Apache-2.0
package java.lang;

/**
 * Called at the beginning of a method in which a thread jumps to another line: the thread has entered
 * the method again, and restores its local variables here. All other threads find out at once that
 * they do not jump.
 *
 * <p>The agent sets the fields while the thread is suspended, and the calls are in code that it has
 * put into the method (jumps/jump_code.h).
 */
public final class JvmdebugProbeJumps {
  /** The number of the jump that a thread is about to make; 0 for none. */
  static int number;

  static Thread thread;

  /** The values of references, and the bits of all other values, by the order of the variables. */
  static Object[] objects;

  static long[] bits;

  private JvmdebugProbeJumps() {}

  /** Whether the current thread makes the jump of that number now. It does so once. */
  public static boolean begins(int which) {
    return number == which && isOwn();
  }

  private static boolean isOwn() {
    if (Thread.currentThread() != thread) {
      return false;
    }
    number = 0;
    return true;
  }

  public static Object reference(int index) {
    return objects[index];
  }

  public static int integer(int index) {
    return (int) bits[index];
  }

  public static long wide(int index) {
    return bits[index];
  }

  public static float real(int index) {
    return Float.intBitsToFloat((int) bits[index]);
  }

  public static double wideReal(int index) {
    return Double.longBitsToDouble(bits[index]);
  }
}
