// SPDX-License-Identifier: Apache-2.0
package quay;

import org.testng.annotations.Test;

/** What a test of another class needs. */
public class LockTest {
  static int opened;

  @Test(groups = "harbour")
  public void fills() {
    opened++;
  }

  @Test
  public void opens() {
    opened++;
  }

  @Test
  public void other() {}
}
