// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * What checks call when the debugger is to hear of a hit. In java.lang, which every class may use.
 *
 * <p>The agent counts the frames of these methods above the program's: hit and the check; enter,
 * stop and the check; arrived and arrive. Its side is probes/probe_classes.h.
 */
public final class JvmdebugProbes {
  /** What enter() and arrived() say: the thread waits here. */
  private static final int WAIT = 1;

  /** What they say: arrive() has something to report. */
  private static final int ARRIVE = 2;

  /** How many threads arrive() is to report. */
  private static final AtomicInteger pending = new AtomicInteger();

  private JvmdebugProbes() {}

  /** The thread stays in here if the debugger stops it. */
  public static void stop(
      int number, int outcome, long count, Object[] references, long[] others) {
    int state = enter(number, outcome, count, references, others);
    if (state == ARRIVE) {
      pending.incrementAndGet();
    }
    if (state == WAIT) {
      stay();
    }
  }

  /**
   * Behind all checks that are in front of one instruction: the thread stays in here for those that
   * stop() has let pass.
   */
  public static void arrive() {
    if (pending.get() == 0) {
      return;
    }
    int state = arrived();
    if ((state & ARRIVE) != 0) {
      pending.decrementAndGet();
    }
    if ((state & WAIT) != 0) {
      stay();
    }
  }

  /** As JvmdebugThrows.stay(), for a thread in here. */
  private static void stay() {
    boolean interrupted = false;
    do {
      interrupted |= Thread.interrupted();
      LockSupport.park();
    } while (waits());
    LockSupport.unpark(Thread.currentThread());
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The thread goes on, and stops behind the check. */
  public static native void hit(int number, int outcome, long count);

  /** The same, with what an instruction is about to store into an array. */
  public static native void store(int number, int index, long bits, Object reference);

  /** The same, with what is about to be written to a field. */
  public static native void write(
      int number, int outcome, long count, Object object, long bits, Object reference);

  /** To the class of a check that is initialized: the objects that the debugger gave it. */
  public static native Object[] given();

  public static native int enter(
      int number, int outcome, long count, Object[] references, long[] others);

  public static native int arrived();

  public static native boolean waits();
}
