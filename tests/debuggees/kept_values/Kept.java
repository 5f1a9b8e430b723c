// SPDX-License-Identifier: Apache-2.0
import java.util.function.IntSupplier;

/**
 * Threads that store values in small classes and compare them with what they read again. A hot swap
 * fills in what stands in the comments with a plus, so that all methods are longer.
 */
public class Kept {
  static volatile long passes;
  static volatile boolean over;

  static void same(String what, long stored, long read) {
    if (stored != read) {
      System.out.println("WRONG: " + what + " is " + read + ", stored was " + stored);
      System.exit(77);
    }
  }

  /** All methods on one line. */
  static class Point { private int x; private long y; Point(int x, long y) { this.x = x; this.y = y; /*+*/ } int x() { /*+*/ return x; } long y() { /*+*/ return y; } } // @point

  enum Side { LEFT(3), RIGHT(5); private final int weight; Side(int weight) { this.weight = weight; /*+*/ } int weight() { /*+*/ return weight; } } // @side

  interface Twice {
    int value();

    default int twice() {
      /*+*/
      return value() * 2; // @twice
    }
  }

  interface Lone {
    /** The only method of a class. */
    static int lone(int[] cell, int n) {
      /*+*/
      cell[0] = n;
      int read = cell[0]; // @lone
      return read + 7; // @more
    }
  }

  static class Begun {
    static final int SEVEN = Integer.parseInt("7");
    int next;
    final int more; // @begun

    {
      next = SEVEN;
      /*+*/
      more = next + 1; // @begin
    }
  }

  static class Held implements Twice {
    private int value;

    @Override
    public int value() {
      /*+*/
      return value; // @value
    }
  }

  static class Lambdas {
    private int last;

    IntSupplier add(int n) {
      last = n; // @last
      return () -> {
        int sum = n + last; // @sum
        return sum;
      };
    }
  }

  static class Shuttle {
    private int last;
    private long wide;
    private Object name;

    int pass(int n) {
      int thread = n ^ 21; // @pass
      last = thread;
      wide = (long) n << 32 | thread; // @wide
      name = thread % 2 == 0 ? "even" : new int[] {thread}; // @name
      switch (n & 3) {
        case 0:
          last++; // @zero
          last--;
          break;
        case 2:
          synchronized (this) {
            last = last + 0; // @two
          }
          break;
        default:
          break;
      }
      return last; // @back
    }

    void check(int n) {
      same("last", n ^ 21, last); // @check
      same("wide", (long) n << 32 | (n ^ 21), wide);
      same("name", n ^ 21, name instanceof int[] ? ((int[]) name)[0] : n ^ 21);
    }
  }

  static void small(int n) {
    Point point = new Point(n, (long) n << 32 | 9); // @made
    same("x", n, point.x());
    same("y", (long) n << 32 | 9, point.y());
    same("left", 3, Side.LEFT.weight());
    same("right", 5, Side.valueOf("RIGHT").weight());
    same("lone", n + 7, Lone.lone(new int[1], n));
    Begun begun = new Begun();
    same("next", 7, begun.next);
    same("more", 8, begun.more);
  }

  static void run(int first) {
    Shuttle shuttle = new Shuttle();
    Lambdas lambdas = new Lambdas();
    Held held = new Held();
    for (int n = first; !over; n += 3) {
      same("passed", n ^ 21, shuttle.pass(n));
      shuttle.check(n);
      same("sum", n * 2, lambdas.add(n).getAsInt());
      held.value = n;
      same("twice", n * 2, held.twice());
      small(n);
      passes++; // @passes
    }
  }

  public static void main(String[] args) throws Exception {
    for (int n = 0; n < 3; n++) {
      int first = n;
      new Thread(() -> run(first), "kept-" + n).start();
    }
    System.out.println("at work");
    while (!over) {
      Thread.sleep(20);
    }
    System.out.println("all values are right");
  }
}
