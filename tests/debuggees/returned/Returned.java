// SPDX-License-Identifier: Apache-2.0

/** Returns in every way: each type, nested, recursive, synchronized, by a constructor, not at all. */
public class Returned {
  static final Object SHARED = new Object();
  static String initialized;

  static class Loaded {
    static final int VALUE = compute();

    private final int number;

    Loaded(int number) {
      this.number = number;
      if (number > 1) {
        return;
      }
      initialized = "constructed";
    }

    static int compute() {
      return initialized == null ? 11 : 12;
    }

    synchronized int number() {
      return number + VALUE;
    }
  }

  public static void main(String[] args) throws Exception {
    types(-1);
    objects("text");
    ways();
    Thread other =
        args[0].equals("virtual") ? Virtual.thread(Returned::ways) : new Thread(Returned::ways);
    other.start();
    other.join();
    System.out.println("done"); // @done
  }

  static void types(int seed) {
    flag(seed);
    flag(seed + 1);
    tiny(seed);
    letter(seed);
    small(seed);
    plain(seed);
    large(seed);
    single(seed);
    precise(seed);
    nothing();
  }

  static void objects(String text) {
    text(text);
    none();
    array(3);
    Returned.<Integer>generic(77);
  }

  static void ways() {
    fib(4);
    nested(2);
    locked(5);
    new Loaded(1).number();
    new Loaded(2).number();
    caught(true);
    caught(false);
    finished(7);
    chosen(true);
    chosen(false);
    java.util.function.IntUnaryOperator twice = value -> value * 2; // @lambda
    twice.applyAsInt(21);
    inMiddle(3); // @in-middle
  }

  static boolean flag(int seed) {
    return seed < 0;
  }

  static byte tiny(int seed) {
    return (byte) (seed * 3);
  }

  static char letter(int seed) {
    return (char) ('b' + seed);
  }

  static short small(int seed) {
    return (short) (seed * 30_000);
  }

  static int plain(int seed) {
    return seed * 2_000_000_000;
  }

  static long large(int seed) {
    return seed * 5_000_000_000L;
  }

  static float single(int seed) {
    return seed * 1.5f;
  }

  static double precise(int seed) {
    return seed / 3.0;
  }

  static void nothing() {}

  static String text(String given) {
    return given + "!";
  }

  static Object none() {
    return null;
  }

  static int[] array(int length) {
    return new int[length];
  }

  static <T> T generic(T value) {
    return value;
  }

  static int fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
  }

  static long nested(int n) {
    return plain(n) + large(n);
  }

  static synchronized int locked(int value) {
    synchronized (SHARED) {
      return value * value;
    }
  }

  static String caught(boolean fails) {
    try {
      return fails(fails);
    } catch (IllegalStateException e) {
      return e.getMessage();
    }
  }

  static String fails(boolean fails) {
    if (fails) {
      throw new IllegalStateException("thrown");
    }
    return "returned";
  }

  static int finished(int value) {
    try {
      return value + 1;
    } finally {
      nothing();
    }
  }

  static double chosen(boolean first) {
    return first ? Math.sqrt(2) : Double.NaN;
  }

  static int inMiddle(int value) {
    int local = value * 3;
    return local + plain(local); // @middle
  }
}
