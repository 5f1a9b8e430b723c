// SPDX-License-Identifier: Apache-2.0
package depot;

/** No test: nothing of it is run. */
public class Plain implements Runnable {
  public void testNothing() {}

  @Override
  public void run() {
    throw new IllegalStateException("this is no test");
  }
}
