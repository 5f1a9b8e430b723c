// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Submits one task after the other, each of which waits for a while. */
public class Waiting {
  public static void main(String[] args) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(1);
    System.out.println("runs");
    while (true) {
      pool.submit(Waiting::waits).get(); // @submits
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
