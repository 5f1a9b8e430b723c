// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Methods that many threads enter first at once, and a thread that waits in a method meanwhile. */
public class Entered {
  static final int THREADS = 8;
  static final int TIMES = 25;
  static final CountDownLatch GO = new CountDownLatch(1);

  public static void main(String[] args) throws Exception {
    Thread waiting =
        args[0].equals("virtual") ? Virtual.thread(Entered::waits) : new Thread(Entered::waits);
    waiting.start();
    while (waiting.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    List<Thread> working = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      working.add(new Thread(Entered::works));
    }
    System.out.println("waiting"); // @waiting
    for (Thread each : working) {
      each.start();
    }
    GO.countDown();
    for (Thread each : working) {
      each.join();
    }
    waiting.join();
    System.out.println("done"); // @joined
  }

  static int waits() {
    try {
      return await(3) + 1;
    } catch (InterruptedException interrupted) {
      return -1;
    }
  }

  static int await(int value) throws InterruptedException {
    GO.await();
    return value;
  }

  static void works() {
    try {
      await(0);
    } catch (InterruptedException interrupted) {
      return;
    }
    for (int i = 0; i < TIMES; i++) {
      half(2 * i);
    }
  }

  static int half(int value) {
    return value / 2;
  }
}
