// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** Knows which threads are in a check that calls methods of the program: probes/check_guard.h. */
public final class JvmdebugCheckGuard {
  public static int calling;

  @SuppressWarnings("rawtypes")
  public static final ThreadLocal running = new ThreadLocal();

  private JvmdebugCheckGuard() {}
}
