// SPDX-License-Identifier: Apache-2.0
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;

/** A method that a thread is in while its class changes, and that runs again much later. */
public class Leftover {
  static final Object LOCK = new Object();
  static final long[] TABLE = new long[64];
  static volatile boolean go;
  static volatile boolean goesOn = true;
  static long mixed;
  static long sum;

  static class Held {
    static void hold(long n) throws Exception {
      synchronized (LOCK) {
        while (!go) {
          LOCK.wait(10);
        }
      }
      sum += called(n); // @held
      sum += n; // @next
      if (n < 0) {
        sum += 17; // @never
      }
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
    while (args.length > 0 && goesOn) {
      sum = 0;
      for (int i = 0; i < 20_000; i++) {
        mixed += pass(i);
      }
      if (sum != 400_000_000) {
        throw new AssertionError(sum);
      }
    }
  }

  static long called(long n) {
    return n + 1; // @called
  }

  /** A compiler looks at all calls, and only then at what they call. */
  static long pass(int i) throws Exception {
    long n = mix(mix(mix(mix(mix(mix(mix(mix(mix(mix(mix(mix(i))))))))))));
    n = mix(mix(mix(mix(mix(mix(mix(mix(mix(mix(mix(mix(n))))))))))));
    Held.hold(i);
    return n;
  }

  static long mix(long n) {
    long a = n;
    a += (a << 1) ^ TABLE[(int) (a & 63)];
    a -= (a & 1) == 0 ? TABLE[(int) ((a >>> 1) & 63)] : a << 3;
    a += (a << 2) ^ TABLE[(int) (a & 31)];
    a -= (a & 2) == 0 ? TABLE[(int) ((a >>> 2) & 63)] : a << 5;
    a += (a << 3) ^ TABLE[(int) (a & 15)];
    a -= (a & 4) == 0 ? TABLE[(int) ((a >>> 3) & 63)] : a << 7;
    return a;
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
