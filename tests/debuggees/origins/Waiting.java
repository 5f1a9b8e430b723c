// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Submits tasks that wait for a while, so that some of them run at any moment. */
public class Waiting {
  public static void main(String[] args) throws Exception {
    ExecutorService pool = Executors.newCachedThreadPool();
    System.out.println("runs");
    while (true) {
      pool.submit(Waiting::waits); // @submits
      Thread.sleep(50);
    }
  }

  private static void waits() {
    try {
      Thread.sleep(200);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }
}
