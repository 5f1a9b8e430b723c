// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Has a pool that has run tasks for long, and goes on submitting some. */
public class Running {
  public static void main(String[] args) throws Exception {
    ExecutorService outer = Executors.newFixedThreadPool(1);
    ExecutorService inner = Executors.newFixedThreadPool(1);
    System.out.println("runs");
    while (true) {
      outer
          .submit( // @outer
              () -> {
                inner.execute(Running::reached); // @inner
              })
          .get();
      Thread.sleep(10);
    }
  }

  static void reached() {
    Thread.yield(); // @ran
  }
}
