// SPDX-License-Identifier: Apache-2.0
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;

/** A method that a thread is in while its class changes, and that runs again much later. */
public class Leftover {
  static final Object LOCK = new Object();
  static volatile boolean go;
  static long sum;

  static class Held {
    static void hold(long n) throws Exception {
      synchronized (LOCK) {
        while (!go) {
          LOCK.wait(10);
        }
      }
      sum += called(n); // @held
      sum += n;
    }

    static long called(long n) {
      return n + 1; // @called
    }

    static void other(int i) {
      sum += i; // @other
    }
  }

  public static void main(String[] args) throws Exception {
    Thread holder = new Thread(Leftover::holder);
    holder.start();
    while (holder.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    System.out.println("holding"); // @holding
    go = true;
    holder.join();
    unload();
    System.out.println("freed"); // @freed
    Held.hold(6);
    System.out.println("sum " + sum);
  }

  static void holder() {
    try {
      Held.hold(5);
    } catch (Exception wrong) {
      throw new AssertionError(wrong);
    }
  }

  /** The VM frees older versions of methods when it unloads classes. */
  static void unload() throws Exception {
    URL[] here = {new File(System.getProperty("java.class.path")).toURI().toURL()};
    for (int i = 0; i < 5; i++) {
      try (URLClassLoader loader = new URLClassLoader(here, null)) {
        loader.loadClass("Leftover");
      }
      System.gc();
    }
  }
}
