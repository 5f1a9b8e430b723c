// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The methods that checks call when they hit. The class is in java.lang, which every class may use.
 *
 * <p>The agent counts the frames of these methods above those of the program: hit and the check;
 * enter, stop and the check; arrived and arrive. Its side is probes/probe_classes.h.
 */
public final class JvmdebugProbes {
  /** Returned by enter() and arrived() if the thread has to wait here. */
  private static final int WAIT = 1;

  /** Returned by them if arrive() has something to report. */
  private static final int ARRIVE = 2;

  /** The number of threads for which arrive() has something to report. */
  private static final AtomicInteger pending = new AtomicInteger();

  private JvmdebugProbes() {}

  /** Reports a hit. The thread stays in here while the debugger has stopped it. */
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
   * Reports the hits that stop() has let pass. Called behind all checks in front of one instruction;
   * the thread stays in here while the debugger has stopped it.
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

  /** Waits like JvmdebugThrows.stay(), until waits() of this class says that the thread may go on. */
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

  /** Notes a hit. The thread goes on, and stops behind the check. */
  public static native void hit(int number, int outcome, long count);

  /** Notes a hit, with what an instruction is about to store into an array. */
  public static native void store(int number, int index, long bits, Object reference);

  /** Notes a hit, with what an instruction is about to write to a field. */
  public static native void write(
      int number, int outcome, long count, Object object, long bits, Object reference);

  /** Returns the objects that the debugger gives the class of a check while it is initialized. */
  public static native Object[] given();

  public static native int enter(
      int number, int outcome, long count, Object[] references, long[] others);

  public static native int arrived();

  public static native boolean waits();
}
