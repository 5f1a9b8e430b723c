// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.Executors;
import java.util.concurrent.StructuredTaskScope;

/** Submits tasks in the ways of JDK 25; each task comes to reached(). */
public class OriginsNew {
  public static void main(String[] args) throws Exception {
    Thread started = Thread.ofVirtual().name("of-virtual").start(OriginsNew::reached); // @virtual
    started.join();
    try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
      pool.submit(OriginsNew::reached) // @per-task
          .get();
    }
    try (var scope = StructuredTaskScope.open()) {
      scope.fork( // @scope
          () -> {
            Thread.sleep(1);
            reached();
            return 1;
          });
      scope.join();
    }
  }

  static void reached() {
    Thread.yield(); // @reached
  }
}
