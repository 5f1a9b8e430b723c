// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.util.Arrays;
import java.util.Iterator;
import java.util.concurrent.locks.LockSupport;

/**
 * Begins and ends a run, and takes what threads have recorded (JvmdebugRecorder). Called by the agent's thread alone, so no
 * method waits for another one; but for {@link #hasRoom}, which a thread asks for its next chunk.
 *
 * <p>Arrays are used again, so an array does not say which records are in it. Each time that a
 * thread begins to fill one, it takes another number (JvmdebugRecorder.fill); how much was taken of
 * an array that a thread still fills is noted with that number.
 */
public final class JvmdebugRecordedChunks {
  /** How long a thread waits for room, before it drops what it has recorded. */
  private static final long PATIENCE_NANOS = 200_000_000L;

  private static volatile boolean waits; // whether threads wait for room

  private static Iterator<JvmdebugRecorder> rest;
  private static JvmdebugRecorder next;
  private static Object[] used;
  private static JvmdebugRecorder held; // its thread still fills what take() has returned

  private JvmdebugRecordedChunks() {}

  /** Says whether threads of the next run wait for room, or drop what they have recorded at once. */
  public static void prepare(boolean waits) {
    JvmdebugRecordedChunks.waits = waits;
  }

  /** Begins a run. {@code roots}: how often it begins in a root method; 0: it is always on. */
  public static void start(long mostRecords, int roots) {
    JvmdebugRecorder.most = mostRecords;
    JvmdebugRecorder.began = System.nanoTime();
    JvmdebugRecorder.needsRoot = roots > 0;
    JvmdebugRecorder.ROOTS.set(roots);
    JvmdebugRecorder.isLate = false;
    forget();
    JvmdebugRecorder.isRead = true;
    JvmdebugRecorder.MISSED.set(0L);
    JvmdebugRecordedObjects.describe(new int[1]); // initializes what is needed later
    look();
    take(true);
    if ((JvmdebugRecorder.run & 1) == 0) {
      JvmdebugRecorder.run++;
    }
  }

  public static void stop() {
    if ((JvmdebugRecorder.run & 1) == 1) {
      JvmdebugRecorder.run++;
    }
  }

  /** Lets go what nothing has taken; no thread hands over anything of the run any more. */
  public static void forget() {
    JvmdebugRecorder.isRead = false;
    JvmdebugRecorder.FULL.clear();
    JvmdebugRecorder.FREE.clear();
    for (JvmdebugRecorder each : JvmdebugRecorder.ALL) {
      Arrays.fill(each.references, null); // its thread keeps the arrays until it ends
    }
    JvmdebugRecorder.ALL.clear();
    JvmdebugRecorder.WAITING.set(0L);
    look();
  }

  /** Notes what the threads have recorded. What is older than a safepoint behind this is there. */
  public static void look() {
    for (JvmdebugRecorder each : JvmdebugRecorder.ALL) {
      look(each);
    }
    rest = JvmdebugRecorder.ALL.iterator();
    next = null;
  }

  private static void look(JvmdebugRecorder each) {
    int fill = each.fill;
    each.lookedTime = JvmdebugRecorder.now();
    each.looked = each.at;
    each.isHeld = false; // a volatile write: `at` is read before `fill` is read again
    each.lookedFill = fill == each.fill && (fill & 1) == 0 ? fill : -1;
  }

  /**
   * Returns the next records: {records, objects, {from, count, objects, start, end, thread, is new,
   * is virtual}, name of the thread}, or null if there are no more. From and count are of longs. A
   * record of a reference has the number of the object below, from 1 on; 0: null. With {@code all}
   * also those of chunks that are not full, as look() has found them.
   */
  public static Object[] take(boolean all) {
    Object[] full = JvmdebugRecorder.FULL.poll();
    if (full != null) {
      return taken(full);
    }
    while (next != null || rest.hasNext()) {
      if (next == null) {
        next = rest.next();
      }
      JvmdebugRecorder each = next;
      Thread of = each.thread.get();
      boolean isDead = of == null || !of.isAlive();
      if ((full = JvmdebugRecorder.FULL.poll()) != null) {
        return taken(full);
      }
      next = null;
      if (isDead) {
        look(each);
        rest.remove();
        JvmdebugRecorder.WAITING.addAndGet(-JvmdebugRecorder.FIRST_SIZE);
      }
      long[] records = each.records;
      Object[] references = each.references;
      // Before the fill is compared: drop() changes the fill before it reads this.
      each.isHeld = true;
      if ((isDead || all) && each.lookedFill == each.fill && !each.hasEnded) {
        int from = firstOf(each, each.lookedFill);
        long start = from == 0 ? each.start : each.takenTime;
        int count = each.looked - from;
        if (count > (from == 0 ? each.kept : 0)) {
          each.seenFill = each.lookedFill;
          each.taken = each.looked;
          each.takenTime = each.lookedTime;
          held = each;
          return records(each, records, references, from, count, start, each.lookedTime);
        }
      }
      each.isHeld = false;
    }
    full = JvmdebugRecorder.FULL.poll(); // one that a thread has handed over meanwhile
    return full == null ? null : taken(full);
  }

  /** Whether the root method has run as often as wanted, and no thread is in it. */
  public static boolean isOver() {
    if (!JvmdebugRecorder.needsRoot
        || JvmdebugRecorder.ROOTS.get() > 0
        || JvmdebugRecorder.BEGINNING.get() > 0) {
      return false;
    }
    for (JvmdebugRecorder each : JvmdebugRecorder.ALL) {
      if (each.depth > 0) {
        return false;
      }
    }
    return true;
  }

  private static Object[] taken(Object[] full) {
    JvmdebugRecorder of = (JvmdebugRecorder) full[0];
    long[] records = (long[]) full[1];
    long[] times = (long[]) full[3];
    int from = firstOf(of, (int) times[3]);
    long start = from == 0 ? times[1] : of.takenTime;
    int count = (int) times[0];
    of.seenFill = (int) times[3];
    of.taken = count;
    JvmdebugRecorder.WAITING.addAndGet(-count);
    boolean isFull = JvmdebugRecorder.WAITING.get() > JvmdebugRecorder.most / 2;
    JvmdebugRecorder.isLate = JvmdebugRecorder.isLate && isFull;
    Object[] made = records(of, records, (Object[]) full[2], from, count - from, start, times[2]);
    if (records.length == JvmdebugRecorder.SIZE) {
      used = full;
    }
    return made;
  }

  /** Whether a thread may begin another chunk of its run; may wait a while for it. */
  static boolean hasRoom(int run) {
    if (JvmdebugRecorder.WAITING.get() < JvmdebugRecorder.most) {
      return true;
    }
    if (JvmdebugRecorder.isLate || !waits) {
      return false;
    }
    long end = System.nanoTime() + PATIENCE_NANOS;
    try {
      while (JvmdebugRecorder.WAITING.get() >= JvmdebugRecorder.most) {
        if (System.nanoTime() - end > 0 || run != JvmdebugRecorder.run) {
          JvmdebugRecorder.isLate = true;
          return false;
        }
        if (Thread.currentThread().isInterrupted()) {
          Thread.yield();
        } else {
          LockSupport.parkNanos(500_000L);
        }
      }
      return true;
    } finally {
      LockSupport.unpark(Thread.currentThread()); // the program's permit may be gone
    }
  }

  /** Gives the arrays of the last take() back. */
  public static void done() {
    JvmdebugRecordedObjects.forget();
    if (held != null) {
      held.isHeld = false;
      held = null;
    }
    Object[] full = used;
    if (full != null) {
      used = null;
      JvmdebugRecorder.FREE.add(new Object[] {full[1], full[2]});
    }
  }

  /** The first record of the arrays that was not taken yet. */
  private static int firstOf(JvmdebugRecorder of, int fill) {
    return of.seenFill == fill ? of.taken : 0;
  }

  private static Object[] records(
      JvmdebugRecorder of,
      long[] records,
      Object[] references,
      int from,
      int count,
      long start,
      long end) {
    int objects = JvmdebugRecordedObjects.number(references, records, from, count);
    int isNew = of.isKnown ? 0 : 1;
    long[] info = {from, count, objects, start, end, of.number, isNew, of.isVirtual ? 1 : 0};
    of.isKnown = true;
    return new Object[] {records, JvmdebugRecordedObjects.FOUND, info, of.name};
  }
}
