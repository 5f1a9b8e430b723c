// SPDX-License-Identifier: Apache-2.0
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Submits tasks in each way of the JDK; each task comes to reached(). */
public class Origins {
  public static void main(String[] kinds) throws Exception {
    for (String kind : kinds) {
      run(kind);
    }
  }

  static void reached() {
    Thread.yield(); // @reached
  }

  static void run(String kind) throws Exception {
    switch (kind) {
      case "thread":
        thread();
        break;
      case "executor":
        executor();
        break;
      case "future":
        future();
        break;
      case "scheduler":
        scheduler();
        break;
      case "stage":
        stage();
        break;
      case "dependent":
        dependent();
        break;
      case "forkjoin":
        forkJoin();
        break;
      case "stream":
        stream();
        break;
      case "timer":
        timer();
        break;
      case "links":
        links();
        break;
      case "again":
        again();
        break;
      default:
        throw new IllegalArgumentException(kind);
    }
  }

  static void thread() throws Exception {
    Thread started = new Thread(Origins::reached, "of-thread");
    started.start(); // @thread
    started.join();
  }

  static void executor() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(1);
    pool.execute(Origins::reached); // @executor
    pool.shutdown();
    pool.awaitTermination(1, TimeUnit.MINUTES);
  }

  static void future() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(1);
    pool.submit( // @future
            () -> {
              reached();
              return 1;
            })
        .get();
    FutureTask<Integer> own =
        new FutureTask<>(
            () -> {
              reached();
              return 1;
            });
    new Thread(own).start(); // @own-future
    own.get();
    pool.shutdown();
  }

  static void scheduler() throws Exception {
    ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
    pool.schedule(Origins::reached, 1, TimeUnit.MILLISECONDS) // @scheduler
        .get();
    pool.shutdown();
  }

  static void stage() throws Exception {
    CompletableFuture.supplyAsync( // @stage
            () -> {
              reached();
              return 1;
            })
        .get();
  }

  static void dependent() throws Exception {
    CompletableFuture<Integer> first = new CompletableFuture<>();
    CompletableFuture<Void> second =
        first.thenAcceptAsync( // @dependent
            value -> reached());
    Thread completing = new Thread(() -> first.complete(1));
    completing.start();
    second.get();
  }

  static void forkJoin() throws Exception {
    ForkJoinPool pool = new ForkJoinPool(2);
    pool.submit(new Sum(2)) // @forkjoin
        .get();
    pool.shutdown();
  }

  static class Sum extends RecursiveTask<Integer> {
    private final int depth;

    Sum(int depth) {
      this.depth = depth;
    }

    @Override
    protected Integer compute() {
      if (depth == 0) {
        reached();
        return 1;
      }
      Sum one = new Sum(depth - 1);
      one.fork(); // @fork
      return one.join();
    }
  }

  static void stream() {
    String name = Thread.currentThread().getName();
    // The stream waits until another thread has come to a part of it.
    CountDownLatch other = new CountDownLatch(1);
    IntStream.range(0, 64)
        .parallel()
        .forEach( // @stream
            each -> {
              if (!Thread.currentThread().getName().equals(name)) {
                if (other.getCount() > 0) {
                  synchronized (other) {
                    if (other.getCount() > 0) {
                      reached();
                      other.countDown();
                    }
                  }
                }
              } else {
                try {
                  other.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              }
            });
  }

  static void timer() throws Exception {
    CountDownLatch ran = new CountDownLatch(1);
    Timer timer = new Timer();
    timer.schedule( // @timer
        new TimerTask() {
          @Override
          public void run() {
            reached();
            ran.countDown();
          }
        },
        1);
    ran.await();
    timer.cancel();
  }

  static void links() throws Exception {
    ExecutorService one = Executors.newFixedThreadPool(1);
    ExecutorService other = Executors.newFixedThreadPool(1);
    CountDownLatch ran = new CountDownLatch(1);
    Thread starter =
        new Thread(
            () ->
                one.execute( // @link-3
                    () ->
                        other.submit( // @link-2
                            () ->
                                CompletableFuture.runAsync( // @link-1
                                    () -> {
                                      reached();
                                      ran.countDown();
                                    }))),
            "starter");
    starter.start(); // @link-4
    ran.await();
    one.shutdown();
    other.shutdown();
  }

  /** The same object is submitted twice, from two lines. */
  static void again() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(1);
    Runnable task = Origins::reached;
    pool.execute(task); // @again-1
    pool.submit(() -> {}).get();
    pool.execute(task); // @again-2
    pool.shutdown();
    pool.awaitTermination(1, TimeUnit.MINUTES);
  }
}
