// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Records what one thread does, in classes that are recorded: recording/recording.h.
 *
 * <p>The static methods up to {@link #line} are called by the program's code, with the recorder that
 * the frame got when it began. A record is a site and a value, in an array of the thread's own. A full
 * array goes to a queue, from which a thread of the agent takes it; so no lock is taken, and
 * nothing is thrown. References are kept until then. Where the agent is late, a thread waits for it
 * a while, and its next park() may return at once.
 *
 * <p>A record is one long: the site above, an int value below. With {@link #WIDE} the next long is
 * the value; with {@link #REFERENCE} it is what the other array has at the same index.
 *
 */
public final class JvmdebugRecorder {
  static final long WIDE = 1L << 63;
  static final long REFERENCE = 1L << 62;
  /** Longs of a full chunk, and of a thread's first one. */
  static final int SIZE = 1 << 13;
  static final int FIRST_SIZE = 1 << 8;

  private static final int CLOCK = 1;
  private static final int LOST = 2;
  private static final int UNWOUND = 3;
  private static final int DEEPEST = 1 << 16;

  private static final ThreadLocal<JvmdebugRecorder> CURRENT = new ThreadLocal<>();
  static final ConcurrentLinkedQueue<JvmdebugRecorder> ALL = new ConcurrentLinkedQueue<>();
  static final ConcurrentLinkedQueue<Object[]> FULL = new ConcurrentLinkedQueue<>();
  static final ConcurrentLinkedQueue<Object[]> FREE = new ConcurrentLinkedQueue<>();
  static final AtomicLong WAITING = new AtomicLong(); // longs in FULL
  private static final AtomicInteger NUMBERS = new AtomicInteger();
  static final AtomicInteger ROOTS = new AtomicInteger();
  static final AtomicInteger BEGINNING = new AtomicInteger(); // root methods
  static final AtomicLong MISSED = new AtomicLong(); // frames of threads without room

  static volatile int run; // odd: recording is on
  static volatile boolean needsRoot;
  static volatile boolean isRead; // the agent still takes records of the run
  static volatile boolean isLate; // nobody took the last chunks in time
  static long most; // longs that may wait
  static long began;

  long[] records;
  Object[] references;
  int at;
  int depth; // of the next frame
  private int[] frames = new int[64]; // the sites of entering the open ones
  int kept; // longs at the beginning of the chunk that tell nothing of the program
  private int wides; // behind these
  private long lost;
  boolean hasEnded; // its run: what it records is for nobody
  long start;
  private final int of; // the run that it belongs to
  final int number;
  final String name;
  final boolean isVirtual;
  final WeakReference<Thread> thread;
  volatile int fill; // of the arrays, which are used again; odd while the thread changes them
  volatile boolean isHeld; // the agent's thread reads the arrays

  // Those of the agent's thread.
  boolean isKnown;
  int seenFill = -1; // the one whose first records were taken
  int taken;
  long takenTime; // when what was taken had been recorded
  int lookedFill;
  int looked;
  long lookedTime;

  private JvmdebugRecorder(Thread current, int of) {
    this.of = of;
    number = NUMBERS.incrementAndGet();
    name = current.getName();
    isVirtual = current.getClass().getName().startsWith("java.lang.VirtualThread");
    thread = new WeakReference<>(current);
    begin(new Object[] {new long[FIRST_SIZE], new Object[FIRST_SIZE]}, now());
  }

  // --- the program's threads ------------------------------------------------------------------

  /** A frame begins. Returns the recorder of the thread, or null if nothing is recorded. */
  public static JvmdebugRecorder enter(int site) {
    return entered(begun(site), site);
  }

  // The same in a method with a value that is noted first: that record tells both.

  public static JvmdebugRecorder enter(int value, int site) {
    JvmdebugRecorder found = begun(site);
    if (found != null) {
      found.add(site + 1, value);
      found.depth++;
    }
    return found;
  }

  public static JvmdebugRecorder enter(long value, int site) {
    JvmdebugRecorder found = begun(site);
    if (found != null) {
      found.addWide(site + 1, value);
      found.depth++;
    }
    return found;
  }

  public static JvmdebugRecorder enter(float value, int site) {
    return enter(Float.floatToRawIntBits(value), site);
  }

  public static JvmdebugRecorder enter(double value, int site) {
    return enter(Double.doubleToRawLongBits(value), site);
  }

  public static JvmdebugRecorder enter(Object value, int site) {
    JvmdebugRecorder found = begun(site);
    if (found != null) {
      found.addReference(site + 1, value);
      found.depth++;
    }
    return found;
  }

  /** The same in a method from whose beginning to whose end the thread is recorded. */
  public static JvmdebugRecorder enterRoot(int site) {
    int now = run;
    if ((now & 1) == 0) {
      return null;
    }
    JvmdebugRecorder found = CURRENT.get();
    if (found != null && found.of == now && found.depth > 0) {
      return entered(opened(current(found, now), site), site);
    }
    BEGINNING.incrementAndGet(); // so that the last one is not over before it has begun
    try {
      if (ROOTS.getAndDecrement() > 0) {
        return entered(opened(current(found, now), site), site);
      }
      ROOTS.set(0);
      return null;
    } finally {
      BEGINNING.decrementAndGet();
    }
  }

  // A method that calls nothing and can only run to its end: its frame is not counted, since nothing
  // happens in it that needs to know of it. Its values are noted as those of others.

  public static JvmdebugRecorder leaf(int site) {
    JvmdebugRecorder found = current();
    if (found != null) {
      found.add(site, 0);
    }
    return found;
  }

  public static JvmdebugRecorder leaf(Object value, int site) {
    JvmdebugRecorder found = current();
    if (found != null) {
      found.addReference(site + 1, value);
    }
    return found;
  }

  /** The end of such a method, behind its record. */
  public static void leafLeft(JvmdebugRecorder recorder) {
    if (recorder != null) {
      recorder.left(recorder.depth);
    }
  }

  private static JvmdebugRecorder entered(JvmdebugRecorder found, int site) {
    if (found != null) {
      found.add(site, 0);
      found.depth++;
    }
    return found;
  }

  /** What comes before the first record of a frame. If that is lost, the frame is not open yet. */
  private static JvmdebugRecorder begun(int site) {
    return opened(current(), site);
  }

  private static JvmdebugRecorder opened(JvmdebugRecorder found, int site) {
    if (found != null) {
      int depth = found.depth;
      int[] frames = found.frames;
      if (depth < frames.length) {
        frames[depth] = site;
      } else {
        found.grow(depth, site);
      }
    }
    return found;
  }

  /** Returns the recorder of the thread, or null if what it does now is not recorded. */
  private static JvmdebugRecorder current() {
    int now = run;
    if ((now & 1) == 0) {
      return null;
    }
    JvmdebugRecorder found = CURRENT.get();
    if (needsRoot && (found == null || found.of != now || found.depth == 0)) {
      return null;
    }
    return current(found, now);
  }

  private static JvmdebugRecorder current(JvmdebugRecorder known, int now) {
    JvmdebugRecorder found = known;
    if (found == null || found.of != now) {
      found = made(now);
      if (found == null) {
        return null;
      }
    }
    if (found.depth == 0) {
      found.addWide(CLOCK, now());
    }
    return found;
  }

  private static JvmdebugRecorder made(int now) {
    try {
      if (WAITING.get() < most) {
        JvmdebugRecorder made = new JvmdebugRecorder(Thread.currentThread(), now);
        CURRENT.set(made);
        ALL.add(made);
        WAITING.addAndGet(FIRST_SIZE); // until the thread is dead and its records are taken
        made.lost = MISSED.getAndSet(0L);
        if (made.lost > 0) {
          made.addWide(LOST, made.lost);
        }
        return made;
      }
    } catch (Throwable error) {
      // No memory or stack.
    }
    MISSED.incrementAndGet();
    return null; // what this frame does is not recorded
  }

  private void grow(int depth, int site) {
    if (depth < DEEPEST) {
      try {
        frames = Arrays.copyOf(frames, depth * 2);
        frames[depth] = site;
      } catch (Throwable error) {
        return; // after a loss the frames that are not here are unknown
      }
    }
  }

  /** A synchronized method is about to begin a frame. */
  public static void acquired() {
    JvmdebugRecorder found = CURRENT.get();
    if (found != null && found.depth > 0 && found.of == run) {
      clock(found); // the first frame of a thread notes the time anyhow
    }
  }

  /** Notes the time: classfile/thread_order.h. */
  public static void clock(JvmdebugRecorder recorder) {
    if (recorder != null) {
      recorder.addWide(CLOCK, now());
    }
  }

  /** Returns the depth of the frame that has just begun. */
  public static int depth(JvmdebugRecorder recorder) {
    return recorder == null ? 0 : recorder.depth - 1;
  }

  public static void line(JvmdebugRecorder recorder, int base, int site) {
    if (recorder != null) {
      recorder.add(base + site, 0);
    }
  }

  public static void value(int value, JvmdebugRecorder recorder, int base, int site) {
    if (recorder != null) {
      recorder.add(base + site, value);
    }
  }

  public static void value(long value, JvmdebugRecorder recorder, int base, int site) {
    if (recorder != null) {
      recorder.addWide(base + site, value);
    }
  }

  public static void value(float value, JvmdebugRecorder recorder, int base, int site) {
    if (recorder != null) {
      recorder.add(base + site, Float.floatToRawIntBits(value));
    }
  }

  public static void value(double value, JvmdebugRecorder recorder, int base, int site) {
    if (recorder != null) {
      recorder.addWide(base + site, Double.doubleToRawLongBits(value));
    }
  }

  public static void value(Object value, JvmdebugRecorder recorder, int base, int site) {
    if (recorder != null) {
      recorder.addReference(base + site, value);
    }
  }

  // A field of an object: nothing is stored in null.

  public static void field(Object of, int value, JvmdebugRecorder recorder, int base, int site) {
    if (recorder != null && of != null) {
      recorder.addReference(base + site, of);
      recorder.add(base + site + 1, value);
    }
  }

  public static void field(Object of, long value, JvmdebugRecorder recorder, int base, int site) {
    if (recorder != null && of != null) {
      recorder.addReference(base + site, of);
      recorder.addWide(base + site + 1, value);
    }
  }

  public static void field(Object of, float value, JvmdebugRecorder recorder, int base, int site) {
    if (recorder != null && of != null) {
      recorder.addReference(base + site, of);
      value(value, recorder, base, site + 1);
    }
  }

  public static void field(Object of, double value, JvmdebugRecorder recorder, int base, int site) {
    if (recorder != null && of != null) {
      recorder.addReference(base + site, of);
      value(value, recorder, base, site + 1);
    }
  }

  public static void field(Object of, Object value, JvmdebugRecorder recorder, int base, int site) {
    if (recorder != null && of != null) {
      recorder.addReference(base + site, of);
      recorder.addReference(base + site + 1, value);
    }
  }

  // An element of an array: nothing is stored beyond its ends.

  public static void element(
      Object of, int index, int value, JvmdebugRecorder recorder, int base, int site) {
    if (recorder != null && index >= 0 && index < JvmdebugRecordedObjects.length(of)) {
      recorder.addElement(of, index, base + site);
      recorder.add(base + site + 2, value);
    }
  }

  public static void element(
      Object of, int index, long value, JvmdebugRecorder recorder, int base, int site) {
    if (recorder != null && of != null && index >= 0 && index < ((long[]) of).length) {
      recorder.addElement(of, index, base + site);
      recorder.addWide(base + site + 2, value);
    }
  }

  public static void element(
      Object of, int index, float value, JvmdebugRecorder recorder, int base, int site) {
    if (recorder != null && of != null && index >= 0 && index < ((float[]) of).length) {
      recorder.addElement(of, index, base + site);
      value(value, recorder, base, site + 2);
    }
  }

  public static void element(
      Object of, int index, double value, JvmdebugRecorder recorder, int base, int site) {
    if (recorder != null && of != null && index >= 0 && index < ((double[]) of).length) {
      recorder.addElement(of, index, base + site);
      value(value, recorder, base, site + 2);
    }
  }

  public static void element(
      Object of, int index, Object value, JvmdebugRecorder recorder, int base, int site) {
    if (recorder != null && of != null && index >= 0 && index < ((Object[]) of).length) {
      if (value == null || of.getClass().getComponentType().isInstance(value)) {
        recorder.addElement(of, index, base + site);
        recorder.addReference(base + site + 2, value);
      }
    }
  }

  // The end of the frame at a depth, by a result or an exception.

  public static void exit(int depth, JvmdebugRecorder recorder, int base, int site) {
    if (recorder != null) {
      recorder.leave(depth);
      recorder.add(base + site, 0);
      recorder.left(depth);
    }
  }

  public static void exit(int value, int depth, JvmdebugRecorder recorder, int base, int site) {
    if (recorder != null) {
      recorder.leave(depth);
      recorder.add(base + site, value);
      recorder.left(depth);
    }
  }

  public static void exit(long value, int depth, JvmdebugRecorder recorder, int base, int site) {
    if (recorder != null) {
      recorder.leave(depth);
      recorder.addWide(base + site, value);
      recorder.left(depth);
    }
  }

  public static void exit(float value, int depth, JvmdebugRecorder recorder, int base, int site) {
    if (recorder != null) {
      recorder.leave(depth);
      value(value, recorder, base, site);
      recorder.left(depth);
    }
  }

  public static void exit(double value, int depth, JvmdebugRecorder recorder, int base, int site) {
    if (recorder != null) {
      recorder.leave(depth);
      value(value, recorder, base, site);
      recorder.left(depth);
    }
  }

  public static void exit(Object value, int depth, JvmdebugRecorder recorder, int base, int site) {
    if (recorder != null) {
      recorder.leave(depth);
      recorder.addReference(base + site, value);
      recorder.left(depth);
    }
  }

  public static void caught(Object value, int depth, JvmdebugRecorder recorder, int base, int site) {
    if (recorder != null) {
      recorder.unwind(depth);
      recorder.addReference(base + site, value);
    }
  }

  private void leave(int depth) {
    unwind(depth);
    this.depth = depth;
  }

  /** A thread may do nothing for long, or end: what it did was before that. */
  private void left(int depth) {
    if (depth == 0) {
      addWide(CLOCK, now());
    }
  }

  /** The frame at this depth runs: those above have ended, whether that was noted or not. */
  private void unwind(int depth) {
    if (this.depth != depth + 1) {
      this.depth = depth + 1;
      add(UNWOUND, depth);
    }
  }

  private void add(int site, int value) {
    int at = this.at;
    long[] records = this.records;
    if (at < 0 || at >= records.length) {
      at = full();
      records = this.records;
    }
    records[at] = (long) site << 32 | value & 0xFFFFFFFFL;
    this.at = at + 1;
  }

  private void addWide(int site, long value) {
    int at = this.at;
    long[] records = this.records;
    if (at < 0 || at >= records.length - 1) {
      at = full();
      records = this.records;
    }
    records[at] = WIDE | (long) site << 32;
    records[at + 1] = value;
    this.at = at + 2;
    wides++;
  }

  private void addReference(int site, Object value) {
    int at = this.at;
    long[] records = this.records;
    if (at < 0 || at >= records.length) {
      at = full();
      records = this.records;
    }
    references[at] = value;
    records[at] = REFERENCE | (long) site << 32;
    this.at = at + 1;
  }

  private void addElement(Object of, int index, int site) {
    addReference(site, of);
    add(site + 1, index);
  }

  /** Hands the chunk over and begins another one. Returns where the next record goes. */
  private int full() {
    try {
      if (of == run && JvmdebugRecordedChunks.hasRoom(of) && of == run) {
        Object[] next = FREE.poll();
        if (next == null) {
          int size = Math.min(records.length * 4, SIZE);
          next = new Object[] {new long[size], new Object[size]};
        }
        long now = now();
        handOver(now);
        begin(next, now);
        return at;
      }
      if (of != run) {
        return ended();
      }
    } catch (Throwable error) {
      // No memory or stack: the records are lost.
    }
    return drop();
  }

  private void handOver(long now) {
    FULL.add(new Object[] {this, records, references, new long[] {at, start, now, fill}});
    WAITING.addAndGet(at);
  }

  /** The run is over: the agent gets the chunk, once, and what comes now is for nobody. */
  private int ended() {
    if (!hasEnded) {
      Object[] next = {new long[FIRST_SIZE], new Object[FIRST_SIZE]};
      if (isRead && of + 1 == run) {
        handOver(now());
      }
      hasEnded = true;
      begin(next, 0L);
    }
    Arrays.fill(references, null);
    return 0;
  }

  /** The loss is told by the first records; the frames that are open then are entered again. */
  private int drop() {
    fill |= 1;
    while (isHeld) {} // until done(); no call, as there may be no stack for one
    lost += at - kept - wides;
    wides = 0;
    Arrays.fill(references, null);
    records[0] = WIDE | (long) LOST << 32;
    records[1] = lost;
    records[2] = (long) UNWOUND << 32 | 0xFFFFFFFFL;
    int next = 3;
    for (int each = 0; each < depth && each < frames.length && next < records.length / 2; each++) {
      records[next++] = (long) frames[each] << 32;
    }
    at = next;
    kept = next;
    fill++;
    return next;
  }

  private void begin(Object[] arrays, long now) {
    fill++;
    records = (long[]) arrays[0];
    references = (Object[]) arrays[1];
    start = now;
    records[0] = WIDE | (long) CLOCK << 32;
    records[1] = now;
    at = 2;
    kept = 2;
    wides = 0;
    lost = 0;
    fill++;
  }

  static long now() {
    return System.nanoTime() - began;
  }
}
