// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.CountDownLatch;
import java.util.function.IntUnaryOperator;

/**
 * A hot swap changes one method, while frames run others of the class. In the other version of this
 * source the comments with `new` stand for code.
 */
public class Beside {
  static final CountDownLatch WAITS = new CountDownLatch(1);
  static final CountDownLatch GOES_ON = new CountDownLatch(1);

  private int last;

  /** All kinds of constants. */
  int run(int number) {
    IntUnaryOperator twice = each -> each * 2;
    int doubled = twice.applyAsInt(number);
    String text = "number " + number + " of " + Beside.class.getSimpleName();
    long sum = doubled + 4_000_000_000L; // @run
    last = (int) (sum - 4_000_000_000L);
    return text.isEmpty() ? 0 : last + changed(); // @after
  }

  static int changed() {
    // new: System.setProperty("beside", "" + 7.5f + 8.5);
    // new: Object made = new StringBuilder("more").append(5_000_000_000L);
    // new: return made.hashCode() * 0 + 100;
    return 0; // @changed
  }

  /** Nothing is ever put in here. */
  static int held(int number) throws InterruptedException {
    int own = number + 1;
    WAITS.countDown();
    GOES_ON.await(); // @held
    return own * 3;
  }

  public static void main(String[] args) throws Exception {
    int[] computed = new int[1];
    Thread holder =
        new Thread(
            () -> {
              try {
                computed[0] = held(6);
              } catch (InterruptedException exception) {
                throw new IllegalStateException(exception);
              }
            },
            "holder");
    holder.start();
    WAITS.await();
    Beside beside = new Beside();
    for (int round = 0; round < 3; round++) {
      int total = 0;
      for (int number = 0; number < 10; number++) {
        total += beside.run(number); // @loop
      }
      System.out.println("total " + total);
    }
    GOES_ON.countDown();
    holder.join();
    System.out.println("held " + computed[0]); // @end
  }
}
