// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.util.concurrent.CountedCompleter;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * Remembers which stack submitted a task. Methods of the JDK and of libraries call it where tasks
 * are submitted and where they begin and end; the agent reads what it knows (origins/origins.h).
 *
 * <p>Nothing here takes a lock, calls a method of the program or lets an exception out. Threads
 * write into the table without an order: a task may be lost that way, and never gets the stack of
 * another one.
 *
 * <p>An instance has the tasks that a thread runs, the innermost one last.
 */
@SuppressWarnings({"rawtypes", "unchecked"})
public final class JvmdebugProbeOrigins {
  private static final int TASKS = 1 << 13;

  /** A task is in one of so many places of the table, which are filled in turn. */
  private static final int PLACES = 4;

  /** The clock is read for one task of so many, which counts for the others. */
  private static final int SAMPLED = 8;

  private static final int LINKS = 8;
  private static final long WINDOW_NS = 100_000_000;

  /** The most that one stack counts for, so that one that was interrupted does not use up all. */
  private static final long MOST_NS = 20_000;

  /**
   * What a task costs beside its stack, about: its beginning and end, its place in the table, what
   * the garbage collector does with that.
   */
  private static final long BESIDE_NS = 2_500;

  private static final JvmdebugProbeTrace[] NONE = {};
  private static final ThreadLocal running = new ThreadLocal();

  /** Null while it is off. */
  static JvmdebugProbeOrigin[] table;

  /** How long tasks may take more in each window. */
  static long budget;

  /** The number of stacks that were taken, and of tasks without one. Approximate. */
  static int taken;

  static int thinned;

  private static int number;
  private static long window;
  private static int numberAtWindow;
  private static long spent;

  /** Of each group of places, which one is filled next; only the lowest bits count. */
  private static final byte[] next = new byte[TASKS / PLACES];

  /** Grows each time that it is switched on. */
  private static int run;

  private Object[] tasks = new Object[8];
  private int depth;
  private boolean isPooled;
  private boolean isBusy;

  /** What started the thread, as it was found in {@code foundIn}: it does not change. */
  private JvmdebugProbeTrace[] ofThread = NONE;

  private int foundIn;

  private JvmdebugProbeOrigins() {}

  /** Switches it on, or off with a budget of 0. Also has the VM load what is used here. */
  static void begin(long nanoseconds) {
    budget = nanoseconds;
    taken = 0;
    thinned = 0;
    spent = 0;
    window = System.nanoTime();
    numberAtWindow = number;
    if (nanoseconds == 0) {
      table = null;
      return;
    }
    ForkJoinTask.inForkJoinPool(); // initialized: a class that is not linked may lose parameters
    run++;
    JvmdebugProbeOrigin[] made = new JvmdebugProbeOrigin[TASKS];
    made[0] = new JvmdebugProbeOrigin(null, NONE, 0);
    keeps(new JvmdebugProbeTrace(0, ""));
    made[0] = null;
    table = made;
  }

  /** Returns what is known of a task: null for nothing. */
  static JvmdebugProbeTrace[] linksOf(Object task) {
    JvmdebugProbeOrigin found = find(table, task);
    return found == null ? null : found.links;
  }

  /**
   * Returns what is known of the innermost task of a thread that is known; null for nothing. The
   * thread is suspended.
   */
  static JvmdebugProbeTrace[] linksOfRunning(JvmdebugProbeOrigins of) {
    Object[] all = of.tasks;
    for (int i = of.depth - 1; i >= 0; i--) {
      JvmdebugProbeOrigin found = i < all.length ? find(table, all[i]) : null;
      if (found != null) {
        return found.links;
      }
    }
    return null;
  }

  /** Notes that the current thread submits a task. */
  public static void submitted(Object task, int kind) {
    if (table != null && task != null) {
      note(task, kind);
    }
  }

  /** The same for a task of a pool; not for the pools that run virtual threads. */
  public static void submittedTo(Object pool, Object task, int kind) {
    if (table != null && task != null && !runsVirtualThreads(pool)) {
      note(task, kind);
    }
  }

  /** Notes that the current thread begins to run a task. */
  public static void begins(Object task) {
    if (table != null) {
      try {
        own().push(task);
      } catch (Throwable ignored) {
        // There is no memory or stack left.
      }
    }
  }

  /** Notes that a thread of a pool begins to run a task: it runs no other one. */
  public static void takes(Object task) {
    if (table != null) {
      try {
        JvmdebugProbeOrigins own = own();
        own.isPooled = true;
        while (own.depth > 0) {
          own.tasks[--own.depth] = null;
        }
        own.push(task);
      } catch (Throwable ignored) {
        // There is no memory or stack left.
      }
    }
  }

  /** Notes that it has run the task. */
  public static void ends(Object task) {
    if (table != null) {
      JvmdebugProbeOrigins own = (JvmdebugProbeOrigins) running.get();
      if (own != null) {
        own.pop(task);
      }
    }
  }

  private static JvmdebugProbeOrigins own() {
    JvmdebugProbeOrigins own = (JvmdebugProbeOrigins) running.get();
    if (own == null) {
      own = new JvmdebugProbeOrigins();
      running.set(own);
    }
    return own;
  }

  private static boolean runsVirtualThreads(Object pool) {
    Object factory = null;
    if (pool.getClass().getClassLoader() != null) {
      return false; // of the program, whose methods are not called
    }
    if (pool instanceof ForkJoinPool) {
      factory = ((ForkJoinPool) pool).getFactory();
    } else if (pool instanceof ThreadPoolExecutor) {
      factory = ((ThreadPoolExecutor) pool).getThreadFactory();
    }
    return factory != null && factory.getClass().getName().startsWith("java.lang.VirtualThread");
  }

  /** Whether the first submission of a task says more than a later one does. */
  private static boolean keeps(Object task) {
    return task instanceof ForkJoinTask || task instanceof Thread;
  }

  // Each method on the way to the stack is a frame of it, so there are few.
  private static void note(Object task, int kind) {
    JvmdebugProbeOrigins own = null;
    try {
      own = own();
      JvmdebugProbeOrigin[] known = table;
      if (own.isBusy || known == null || (keeps(task) && find(known, task) != null)) {
        own = null;
        return;
      }
      own.isBusy = true;
      int now = number++;
      boolean isTimed = now % SAMPLED == 0 || spent > budget;
      long begun = isTimed ? System.nanoTime() : 0;
      if (isTimed && begun - window > WINDOW_NS) {
        beginWindow(begun, now);
      }
      if (spent > budget) {
        thinned++;
        put(known, task, NONE, now);
        return;
      }
      JvmdebugProbeTrace[] outer = own.outer(known);
      if (outer.length > 0 && own.isPartOfRunning(task)) {
        put(known, task, outer, now);
      } else {
        String thread = Thread.currentThread().getName();
        put(known, task, linked(new JvmdebugProbeTrace(kind, thread), outer), now);
      }
      taken++;
      if (isTimed) {
        long took = System.nanoTime() - begun;
        spent += SAMPLED * (took < MOST_NS ? took : MOST_NS);
      }
    } catch (Throwable ignored) {
      // There is no memory or stack left.
    } finally {
      if (own != null) {
        own.isBusy = false;
      }
    }
  }

  /** The tasks of the next window cost, beside their stacks, what those of the last one did. */
  private static void beginWindow(long begun, int now) {
    long beside = (now - numberAtWindow) * BESIDE_NS * WINDOW_NS / (begun - window);
    long most = budget / 4 * 3; // some stacks are taken all the same
    window = begun;
    numberAtWindow = now;
    spent = beside < most ? beside : most;
  }

  /** The links of the task that the thread runs. */
  private JvmdebugProbeTrace[] outer(JvmdebugProbeOrigin[] known) {
    for (int i = depth - 1; i >= 0; i--) {
      JvmdebugProbeOrigin found = find(known, tasks[i]);
      if (found != null) {
        return found.links;
      }
    }
    if (isPooled) {
      return NONE; // its start is not why it submits something
    }
    if (foundIn != run) {
      Thread thread = Thread.currentThread();
      JvmdebugProbeOrigin found =
          thread instanceof ForkJoinWorkerThread ? null : find(known, thread);
      ofThread = found == null ? NONE : found.links;
      foundIn = run;
    }
    return ofThread;
  }

  /** Whether a running task divides itself, as those of parallel streams do. */
  private boolean isPartOfRunning(Object task) {
    return depth > 0
        && task instanceof CountedCompleter
        && tasks[depth - 1].getClass() == task.getClass();
  }

  /** Of too many links, the nearest ones and the first one of all stay. */
  private static JvmdebugProbeTrace[] linked(JvmdebugProbeTrace own, JvmdebugProbeTrace[] outer) {
    int count = outer.length < LINKS ? outer.length + 1 : LINKS;
    JvmdebugProbeTrace[] all = new JvmdebugProbeTrace[count];
    all[0] = own;
    System.arraycopy(outer, 0, all, 1, count - 1);
    if (count > 1) {
      all[count - 1] = outer[outer.length - 1];
    }
    return all;
  }

  private static int place(Object task) {
    return System.identityHashCode(task) & (TASKS - PLACES);
  }

  /** Returns what was noted last of the task; null for nothing. */
  private static JvmdebugProbeOrigin find(JvmdebugProbeOrigin[] known, Object task) {
    if (known == null || task == null) {
      return null;
    }
    JvmdebugProbeOrigin found = null;
    int at = place(task);
    for (int i = at; i < at + PLACES; i++) {
      JvmdebugProbeOrigin each = known[i];
      if (each != null
          && each.get() == task
          && (found == null || each.number - found.number > 0)) {
        found = each;
      }
    }
    return found;
  }

  /** Puts it in place of the oldest one. Reads none of them: they are seldom in a cache. */
  private static void put(
      JvmdebugProbeOrigin[] known, Object task, JvmdebugProbeTrace[] links, int now) {
    int at = place(task);
    known[at + (next[at / PLACES]++ & (PLACES - 1))] = new JvmdebugProbeOrigin(task, links, now);
  }

  private void push(Object task) {
    if (depth == tasks.length) {
      Object[] more = new Object[depth * 2];
      System.arraycopy(tasks, 0, more, 0, depth);
      tasks = more;
    }
    tasks[depth] = task;
    depth++;
  }

  /** Also ends what began behind it and was left by an exception. */
  private void pop(Object task) {
    for (int i = depth - 1; i >= 0; i--) {
      if (tasks[i] == task) {
        while (depth > i) {
          depth--;
          tasks[depth] = null;
        }
        return;
      }
    }
  }
}
