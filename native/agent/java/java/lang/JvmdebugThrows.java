// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.util.concurrent.locks.LockSupport;

/**
 * Called by the constructors of Throwable, and by code that throws what it has not made itself.
 *
 * <p>It calls the agent only if there is a request for exceptions of the class, so that all others
 * cost next to nothing, and only if no throw with the same stack was found to be ignored before. For
 * that it reads the stack trace as HotSpot stores it, where frames cost a fraction of what JVM TI
 * takes for them.
 *
 * <p>The agent counts the frames of these methods above those of the program: report, look and
 * constructed; or reached, throwing and thrown. Its side is throws/throw_hook.h.
 */
public final class JvmdebugThrows {
  /** The classes for which there are requests; never null. */
  static Class<?>[] requested;

  /** Hashes of ignored throws, 1 << IGNORED_BITS of them; replaced to forget them. */
  static long[] ignored;

  private static final int IGNORED_BITS = 13;

  private JvmdebugThrows() {}

  /** Called at the end of each constructor of Throwable. Compilers always inline it: it is short. */
  static void constructed(Throwable thrown, Object backtrace) {
    Class<?>[] types = requested;
    for (int i = 0; i < types.length; i++) {
      if (types[i].isInstance(thrown)) {
        look(thrown, backtrace);
        return;
      }
    }
  }

  /** Called in front of an athrow. As short as the one above. */
  public static void thrown(Throwable thrown) {
    Class<?>[] types = requested;
    for (int i = 0; i < types.length; i++) {
      if (types[i].isInstance(thrown)) {
        throwing(thrown);
        return;
      }
    }
  }

  static void throwing(Throwable thrown) {
    if (reached(thrown) != 0) {
      stay();
    }
  }

  static void look(Throwable thrown, Object backtrace) {
    if (thrown.getClass().getName().equals("java.lang.JvmdebugProbeTrace")) {
      return; // it is never thrown
    }
    long[] table = ignored;
    int type = System.identityHashCode(thrown.getClass());
    if (walk(backtrace, table, type, 0)) {
      return;
    }
    int frames = report(thrown);
    if (frames > 0) {
      walk(backtrace, table, type, frames);
    } else if (frames != 0) {
      stay();
    }
  }

  /**
   * Whether the frames down to some depth are in the table; with a count, adds that many. False for
   * another layout than HotSpot's, whose backtrace is a list of {short[] methods, int[] indices,
   * Object[] classes, …, next}.
   */
  static boolean walk(Object backtrace, long[] table, int type, int count) {
    long hash = type;
    int done = 0;
    while (backtrace instanceof Object[]) {
      Object[] parts = (Object[]) backtrace;
      if (parts.length < 5
          || !(parts[0] instanceof short[])
          || !(parts[1] instanceof int[])
          || !(parts[2] instanceof Object[])) {
        return false;
      }
      short[] methods = (short[]) parts[0];
      int[] indices = (int[]) parts[1];
      Object[] classes = (Object[]) parts[2];
      for (int frame = 0; frame < classes.length; frame++) {
        if (frame >= methods.length || frame >= indices.length || classes[frame] == null) {
          return false;
        }
        hash ^= (long) System.identityHashCode(classes[frame]) << 32;
        hash ^= (long) methods[frame] << 46;
        hash ^= indices[frame];
        hash ^= hash << 13;
        hash ^= hash >>> 7;
        hash ^= hash << 17;
        int entry = (int) (hash >>> (64 - IGNORED_BITS));
        if (count == 0) {
          if (table[entry] == hash) {
            return true;
          }
        } else if (++done == count) {
          table[entry] = hash;
          return true;
        }
      }
      backtrace = parts[4];
    }
    return false;
  }

  /**
   * Waits in Java until waits() says that the thread may go on, so that a virtual one holds no
   * carrier. An interrupt that comes meanwhile is left for the program, and so is a permit to go on
   * behind its own park().
   */
  static void stay() {
    boolean interrupted = false;
    do {
      interrupted |= Thread.interrupted(); // else park() returns at once
      LockSupport.park();
    } while (waits());
    LockSupport.unpark(Thread.currentThread()); // the program's permit may be gone
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Returns how many frames of the stack trace decided that the throw is ignored; 0 if it is not; -1
   * if the thread has to wait.
   */
  static native int report(Throwable thrown);

  /** Returns 0, or -1 if the thread has to wait. */
  static native int reached(Throwable thrown);

  static native boolean waits();
}
