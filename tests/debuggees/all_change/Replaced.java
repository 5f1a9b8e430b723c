// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.CountDownLatch;

/**
 * A thread stays in a method while its class gets other code: first elsewhere, then in all methods.
 * In the other versions of this source the comments with `first` and `then` stand for code.
 */
public class Replaced {
  static final CountDownLatch WAITS = new CountDownLatch(1);
  static final CountDownLatch GOES_ON = new CountDownLatch(1);

  static class Changed {
    private int last;

    int hold(int n) throws InterruptedException {
      // then: last = 3;
      WAITS.countDown();
      GOES_ON.await();
      int sum = n;
      sum = sum * 3 + last;
      last = sum;
      sum = sum * 5 + last; // @held
      last = sum;
      return sum * 7 + last;
    }

    /** The second store is made by the thread that has waited, and by others. */
    int store(int n) throws InterruptedException {
      int sum = 0;
      for (int i = 0; i < 3; i++) {
        last = n + i; // @stored
        sum = sum * 3 + last;
        if (i == 0) {
          WAITS.countDown();
          GOES_ON.await();
        }
      }
      return sum;
    }

    void other() {
      // first: last = 5;
      // then: last = 6; last = 7;
      last = 4; // @other
    }

    Changed() {
      // then: last = 3;
      last = 2;
    }
  }

  interface Single {
    /** The only method of its class. */
    static int hold(int n) throws InterruptedException {
      // then: n = n * 2; n = n / 2; n = n * 2; n = n / 2;
      WAITS.countDown();
      GOES_ON.await();
      int sum = n * 3;
      sum = sum * 5 + n; // @single
      return sum * 7 + n;
    }
  }

  static int run(String what) {
    try {
      switch (what) {
        case "Single":
          return Single.hold(11);
        case "Changed":
          return new Changed().hold(11);
        default:
          return new Changed().store(11);
      }
    } catch (InterruptedException exception) {
      throw new IllegalStateException(exception);
    }
  }

  public static void main(String[] args) throws Exception {
    new Changed().other();
    int[] computed = new int[1];
    Thread holder = new Thread(() -> computed[0] = run(args[0]), "holder");
    holder.start();
    WAITS.await();
    System.out.println("held"); // @ready
    GOES_ON.countDown();
    holder.join();
    System.out.println("computed " + computed[0] + ", " + run(args[0]) + " later");
  }
}
