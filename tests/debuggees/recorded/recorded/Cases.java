// SPDX-License-Identifier: Apache-2.0
package recorded;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Code of many kinds. Each case is a method that returns a number; it is printed as {@code
 * name=number}. {@link #logged} prints each value that a variable gets.
 */
public class Cases {
  static long sum;
  static int made;
  int field;

  static class Lazy {
    static final int VALUE;

    static {
      made++;
      VALUE = 7;
    }

    static int get() {
      return VALUE;
    }
  }

  interface Shape {
    default int sides() {
      return 0;
    }
  }

  static final class Square implements Shape {
    final double side;

    Square(double side) {
      this.side = side;
    }

    @Override
    public int sides() {
      return (int) side;
    }
  }

  abstract static class Chooser<T extends Comparable<T>> {
    abstract T choose(T one, T other);
  }

  static class Larger extends Chooser<Integer> {
    @Override
    Integer choose(Integer one, Integer other) {
      return one.compareTo(other) >= 0 ? one : other;
    }
  }

  class Inner {
    int value = field + 1;

    int twice() {
      return value * 2;
    }
  }

  static class Base {
    Base(int number) {
      if (number < 0) {
        throw new IllegalArgumentException("negative");
      }
      hook();
    }

    void hook() {}
  }

  static class Derived extends Base {
    int count = 5;

    Derived(int number) {
      super(number > 10 ? -1 : new int[] {number}[0]);
      count++;
    }

    @Override
    void hook() {
      sum += count;
    }
  }

  static long recursion() {
    return fib(15);
  }

  static int fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
  }

  static long finallyBlocks() {
    return ended(1) * 100L + ended(2) * 10L + ended(3);
  }

  static int ended(int how) {
    try {
      if (how == 1) {
        return 1;
      }
      if (how == 2) {
        throw new RuntimeException("two");
      }
      return 3;
    } catch (RuntimeException e) {
      return 4;
    } finally {
      sum += how;
    }
  }

  static long initializers() {
    return Lazy.get() * 10L + made;
  }

  static long defaultMethods() {
    return new Shape() {}.sides() * 10L + new Square(4).sides();
  }

  static long bridges() {
    Chooser<Integer> chooser = new Larger();
    return chooser.choose(3, 9);
  }

  static long innerClasses() {
    Cases outer = new Cases();
    outer.field = 4;
    return outer.new Inner().twice();
  }

  static long constructors() {
    long found = new Derived(3).count;
    try {
      new Derived(11);
    } catch (IllegalArgumentException e) {
      found += 100;
    }
    return found;
  }

  static int deep(int n) {
    return deep(n + 1) + 1;
  }

  static long stackOverflow() {
    try {
      return deep(0);
    } catch (StackOverflowError e) {
      return 1;
    }
  }

  synchronized int locked(int n) {
    synchronized (this) {
      if (n > 3) {
        throw new IllegalStateException("more than 3");
      }
      return n;
    }
  }

  static long monitors() {
    Cases of = new Cases();
    long found = 0;
    for (int i = 0; i < 6; i++) {
      try {
        found += of.locked(i);
      } catch (IllegalStateException e) {
        found += 1000;
      }
    }
    return found;
  }

  static long switches() {
    return chosen("1") + chosen("2") * 10L + chosen("other") * 100L;
  }

  static int chosen(String text) {
    switch (text) {
      case "1":
        return 1;
      case "2":
        return 2;
      default:
        return 3;
    }
  }

  static long wide(long a, double b, float c, byte d, char e, short f, boolean g) {
    long found = a + (long) b;
    found += (long) c;
    found ^= d;
    found += e - f;
    if (g) {
      found = -found;
    }
    double[] doubles = {b, found};
    doubles[1] += 2.5;
    long[] longs = new long[2];
    longs[0] = found;
    longs[1] += 3;
    float[] floats = {c};
    floats[0]++;
    char[] chars = {e};
    chars[0]++;
    boolean[] booleans = {g};
    booleans[0] = !g;
    byte[] bytes = {d};
    bytes[0]--;
    short[] shorts = {f};
    shorts[0] += 2;
    return found + (long) doubles[1] + longs[1] + (long) floats[0] + chars[0] + bytes[0] + shorts[0];
  }

  static long types() {
    return wide(5, 2.5, 3.5f, (byte) -3, 'c', (short) 9, true);
  }

  static long loopAtTheBeginning() {
    return counted(5);
  }

  static int counted(int n) {
    do {
      n--;
    } while (n > 0);
    return n;
  }

  static long labels() {
    int found = 0;
    outer:
    for (int i = 0; i < 9; i++) {
      for (int j = 0; j < 9; j++) {
        if (j == i) {
          continue outer;
        }
        if (i * j > 20) {
          break outer;
        }
        found += i * j;
      }
    }
    return found;
  }

  static long streams() {
    List<String> names =
        IntStream.range(0, 20)
            .mapToObj(i -> "n" + i)
            .filter(each -> each.length() > 2)
            .map(String::toUpperCase)
            .sorted(Comparator.reverseOrder())
            .collect(Collectors.toList());
    Map<String, Integer> counts = new TreeMap<>();
    for (String each : names) {
      counts.merge(each.substring(0, 1), 1, Integer::sum);
    }
    return counts.get("N");
  }

  static long threads() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(3);
    List<Future<Integer>> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      int number = i;
      all.add(pool.submit(() -> fib(number)));
    }
    long found = 0;
    for (Future<Integer> each : all) {
      found += each.get();
    }
    pool.shutdown();
    return found;
  }

  static long lambdas() {
    int captured = 6;
    Supplier<Supplier<Integer>> outer = () -> () -> captured * 7;
    return outer.get().get();
  }

  static long reflection() throws Exception {
    Method method = Cases.class.getDeclaredMethod("fib", int.class);
    return (Integer) method.invoke(null, 10);
  }

  static long refusedStores() {
    long found = 0;
    try {
      Object[] numbers = new Integer[1];
      numbers[0] = "text";
    } catch (ArrayStoreException e) {
      found += 1;
    }
    try {
      int[] none = null;
      none[0] = 1;
    } catch (NullPointerException e) {
      found += 10;
    }
    try {
      ((Cases) null).field = 1;
    } catch (NullPointerException e) {
      found += 100;
    }
    return found;
  }

  static long largeArrays() {
    int[] large = new int[20_000];
    for (int i = 0; i < large.length; i++) {
      large[i] = i ^ 5;
    }
    long found = 0;
    for (int each : large) {
      found += each;
    }
    return found;
  }

  static long resources() {
    long[] found = new long[1];
    try (AutoCloseable closed = () -> found[0] += 5) {
      throw new Exception("body");
    } catch (Exception e) {
      return found[0];
    }
  }

  static long virtualThreads() throws Exception {
    long[] found = new long[1];
    Thread thread;
    try {
      Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
      thread = (Thread) start.invoke(null, (Runnable) () -> found[0] = fib(9));
    } catch (NoSuchMethodException | java.lang.reflect.InvocationTargetException e) {
      thread = new Thread(() -> found[0] = fib(9));
      thread.start();
    }
    thread.join();
    return found[0];
  }

  /** Prints each value that the variable gets. */
  static long logged() {
    int value = 3;
    System.out.println("value " + value);
    for (int i = 0; i < 5; i++) {
      value = value * 7 % 11;
      System.out.println("value " + value);
      value++;
      System.out.println("value " + value);
    }
    return value;
  }

  static void say(String name, long number) {
    System.out.println(name + "=" + number);
  }

  public static void main(String[] args) throws Exception {
    say("recursion", recursion());
    say("finallyBlocks", finallyBlocks());
    say("initializers", initializers());
    say("defaultMethods", defaultMethods());
    say("bridges", bridges());
    say("innerClasses", innerClasses());
    say("constructors", constructors());
    say("stackOverflow", stackOverflow());
    say("monitors", monitors());
    say("switches", switches());
    say("types", types());
    say("loopAtTheBeginning", loopAtTheBeginning());
    say("labels", labels());
    say("streams", streams());
    say("threads", threads());
    say("lambdas", lambdas());
    say("reflection", reflection());
    say("refusedStores", refusedStores());
    say("largeArrays", largeArrays());
    say("resources", resources());
    say("virtualThreads", virtualThreads());
    say("logged", logged());
    String how = args.length > 0 ? args[0] : "";
    if (how.equals("exit")) {
      System.exit(7);
    }
    if (how.equals("halt")) {
      Runtime.getRuntime().halt(8);
    }
    if (how.equals("throw")) {
      throw new IllegalStateException("the end");
    }
    while (how.equals("serve")) {
      recursion();
      Thread.sleep(10);
    }
  }
}
