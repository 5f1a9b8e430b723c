// SPDX-License-Identifier: Apache-2.0
package java.lang;

/**
 * Called in front of branches whose targets are reached in other ways, too, so that the targets do
 * not tell which way was taken. Each method sets the flag of the way that the branch is about to
 * take: at {@code at} that of falling through, behind it that of the jump.
 *
 * <p>The methods are small and have no state, so compilers inline them.
 */
public final class JvmdebugCoverage {
  private JvmdebugCoverage() {}

  /** ifeq. */
  public static void eq(int value, byte[] flags, int at) {
    flags[value == 0 ? at + 1 : at] = 1;
  }

  /** ifne. */
  public static void ne(int value, byte[] flags, int at) {
    flags[value != 0 ? at + 1 : at] = 1;
  }

  /** iflt. */
  public static void lt(int value, byte[] flags, int at) {
    flags[value < 0 ? at + 1 : at] = 1;
  }

  /** ifge. */
  public static void ge(int value, byte[] flags, int at) {
    flags[value >= 0 ? at + 1 : at] = 1;
  }

  /** ifgt. */
  public static void gt(int value, byte[] flags, int at) {
    flags[value > 0 ? at + 1 : at] = 1;
  }

  /** ifle. */
  public static void le(int value, byte[] flags, int at) {
    flags[value <= 0 ? at + 1 : at] = 1;
  }

  /** if_icmpeq. */
  public static void eq(int one, int other, byte[] flags, int at) {
    flags[one == other ? at + 1 : at] = 1;
  }

  /** if_icmpne. */
  public static void ne(int one, int other, byte[] flags, int at) {
    flags[one != other ? at + 1 : at] = 1;
  }

  /** if_icmplt. */
  public static void lt(int one, int other, byte[] flags, int at) {
    flags[one < other ? at + 1 : at] = 1;
  }

  /** if_icmpge. */
  public static void ge(int one, int other, byte[] flags, int at) {
    flags[one >= other ? at + 1 : at] = 1;
  }

  /** if_icmpgt. */
  public static void gt(int one, int other, byte[] flags, int at) {
    flags[one > other ? at + 1 : at] = 1;
  }

  /** if_icmple. */
  public static void le(int one, int other, byte[] flags, int at) {
    flags[one <= other ? at + 1 : at] = 1;
  }

  /** if_acmpeq. */
  public static void eq(Object one, Object other, byte[] flags, int at) {
    flags[one == other ? at + 1 : at] = 1;
  }

  /** if_acmpne. */
  public static void ne(Object one, Object other, byte[] flags, int at) {
    flags[one != other ? at + 1 : at] = 1;
  }

  /** ifnull. */
  public static void eq(Object value, byte[] flags, int at) {
    flags[value == null ? at + 1 : at] = 1;
  }

  /** ifnonnull. */
  public static void ne(Object value, byte[] flags, int at) {
    flags[value != null ? at + 1 : at] = 1;
  }

  /** tableswitch: a flag for each of {@code count} keys from {@code low} on, then the default's. */
  public static void table(int key, int low, int count, byte[] flags, int at) {
    int number = key - low;
    flags[number >= 0 && number < count ? at + number : at + count] = 1;
  }

  /** A key of a lookupswitch. */
  public static void look(int value, int key, byte[] flags, int at) {
    if (value == key) {
      flags[at] = 1;
    }
  }

  /** Returns whether this key or one before it was the value, as 1 or 0. */
  public static int found(int value, int found, int key) {
    return value == key ? 1 : found;
  }

  /** The default of a lookupswitch. */
  public static void otherwise(int found, byte[] flags, int at) {
    if (found == 0) {
      flags[at] = 1;
    }
  }
}
