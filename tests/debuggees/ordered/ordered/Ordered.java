// SPDX-License-Identifier: Apache-2.0
package ordered;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Two threads that write {@code written} by turns, from 0 on. The arguments say how they wait for
 * each other, one way after another. Both are in one frame nearly all the time.
 */
public final class Ordered {
  static final int TURNS = 200;
  static final Object LOCK = new Object();
  static final VarHandle HANDLE;

  static int written;
  static int turn;
  static int spun;
  static volatile int volatileTurn;
  static int handled;
  static int raced;

  static {
    try {
      HANDLE = MethodHandles.lookup().findStaticVarHandle(Ordered.class, "handled", int.class);
    } catch (ReflectiveOperationException error) {
      throw new ExceptionInInitializerError(error);
    }
  }

  interface Way {
    /** Writes in each second turn, from the given one on. */
    void run(int first) throws Exception;
  }

  private Ordered() {}

  public static void main(String[] args) throws Exception {
    for (String each : args) {
      if (each.equals("race")) {
        race();
        return;
      }
      Way way = way(each);
      turn = 0;
      volatileTurn = 0;
      Thread other = new Thread(() -> go(way, 1), "other");
      other.start(); // @started
      go(way, 0);
      other.join();
      written = TURNS;
    }
  }

  /**
   * Two threads write while both are there, and nothing that a recording knows says which was last:
   * they meet by properties of the system.
   */
  private static void race() throws InterruptedException {
    Thread other =
        new Thread(
            () -> {
              System.setProperty("other", "is there");
              await("main");
              raced = 1; // @other
            },
            "other");
    other.start();
    System.setProperty("main", "is there");
    await("other");
    raced = 2; // @main
    other.join();
    spun = raced; // @joined
  }

  private static void await(String thread) {
    while (System.getProperty(thread) == null) {
      Thread.yield();
    }
  }

  private static void go(Way way, int first) {
    try {
      way.run(first);
    } catch (Exception error) {
      throw new IllegalStateException(error);
    }
  }

  private static Way way(String name) {
    switch (name) {
      case "block":
        return Ordered::block;
      case "wait":
        return Ordered::waiting;
      case "method":
        return Ordered::method;
      case "thrown":
        return Ordered::thrown;
      case "volatile":
        return Ordered::reading;
      case "inner":
        return new Inner();
      case "atomic":
        return new Counted();
      case "handle":
        return Ordered::handle;
      case "lock":
        return new Locked();
      case "queue":
        return new Queued();
      case "future":
        return new Completed();
      case "latch":
        return new Latched();
      case "started":
        return Ordered::started;
      default:
        throw new IllegalArgumentException(name);
    }
  }

  private static void block(int first) {
    for (int next = first; next < TURNS; ) {
      synchronized (LOCK) {
        if (turn == next) {
          written = next;
          next += 2;
          turn++;
        }
      }
      spin(next);
    }
  }

  private static void waiting(int first) throws InterruptedException {
    for (int next = first; next < TURNS; next += 2) {
      synchronized (LOCK) {
        while (turn != next) {
          LOCK.wait();
        }
        written = next;
        turn++;
        LOCK.notifyAll();
      }
    }
  }

  private static void method(int first) {
    for (int next = first; next < TURNS; ) {
      if (taken(next)) {
        next += 2;
      }
      spin(next);
    }
  }

  private static synchronized boolean taken(int next) {
    if (turn == next) {
      written = next;
      turn++;
      return true;
    }
    return false;
  }

  private static void thrown(int first) {
    for (int next = first; next < TURNS; ) {
      try {
        thrower(next);
      } catch (IllegalStateException expected) {
        next += 2;
      }
      spin(next);
    }
  }

  private static synchronized void thrower(int next) {
    if (turn == next) {
      written = next;
      turn++;
      throw new IllegalStateException();
    }
  }

  private static void reading(int first) {
    for (int next = first; next < TURNS; next += 2) {
      while (volatileTurn != next) {
        spin(next);
      }
      written = next;
      volatileTurn = next + 1;
    }
  }

  private static void handle(int first) {
    for (int next = first; next < TURNS; next += 2) {
      while ((int) HANDLE.getAcquire() != next) {
        spin(next);
      }
      written = next;
      HANDLE.setRelease(next + 1);
    }
  }

  private static void started(int first) throws InterruptedException {
    if (first == 1) {
      return;
    }
    for (int next = 0; next < TURNS; next += 2) {
      int value = next + 1;
      written = next;
      Thread thread =
          new Thread(
              () -> {
                written = value;
              });
      thread.start();
      thread.join();
    }
  }

  /** Takes a while, a little more in one turn than in another. */
  private static void spin(int next) {
    for (int round = next % 7; round > 0; round--) {
      spun += round;
    }
    LockSupport.parkNanos(20_000);
  }

  private static final class Inner implements Way {
    @Override
    public void run(int first) {
      for (int next = first; next < TURNS; next += 2) {
        while (volatileTurn != next) {
          spin(next);
        }
        written = next;
        volatileTurn = next + 1;
      }
    }
  }

  private static final class Counted implements Way {
    private final AtomicInteger counter = new AtomicInteger();

    @Override
    public void run(int first) {
      for (int next = first; next < TURNS; next += 2) {
        while (counter.get() != next) {
          spin(next);
        }
        written = next;
        counter.incrementAndGet();
      }
    }
  }

  private static final class Locked implements Way {
    private final ReentrantLock lock = new ReentrantLock();

    @Override
    public void run(int first) {
      for (int next = first; next < TURNS; ) {
        lock.lock();
        try {
          if (turn == next) {
            written = next;
            next += 2;
            turn++;
          }
        } finally {
          lock.unlock();
        }
        spin(next);
      }
    }
  }

  private static final class Queued implements Way {
    private final SynchronousQueue<Integer> there = new SynchronousQueue<>();
    private final SynchronousQueue<Integer> back = new SynchronousQueue<>();

    @Override
    public void run(int first) throws InterruptedException {
      for (int next = first; next < TURNS; next += 2) {
        if (first == 1) {
          there.take();
        }
        written = next;
        (first == 0 ? there : back).put(next);
        if (first == 0) {
          back.take();
        }
      }
    }
  }

  private static final class Completed implements Way {
    private final CompletableFuture<?>[] turns = new CompletableFuture<?>[TURNS + 1];

    Completed() {
      for (int each = 0; each <= TURNS; each++) {
        turns[each] = new CompletableFuture<>();
      }
      turns[0].complete(null);
    }

    @Override
    public void run(int first) {
      for (int next = first; next < TURNS; next += 2) {
        turns[next].join();
        written = next;
        turns[next + 1].complete(null);
      }
    }
  }

  private static final class Latched implements Way {
    private final CountDownLatch[] turns = new CountDownLatch[TURNS + 1];

    Latched() {
      for (int each = 0; each <= TURNS; each++) {
        turns[each] = new CountDownLatch(each == 0 ? 0 : 1);
      }
    }

    @Override
    public void run(int first) throws InterruptedException {
      for (int next = first; next < TURNS; next += 2) {
        turns[next].await();
        written = next;
        turns[next + 1].countDown();
      }
    }
  }
}
