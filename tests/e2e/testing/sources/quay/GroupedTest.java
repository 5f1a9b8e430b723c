// SPDX-License-Identifier: Apache-2.0
package quay;

import org.testng.annotations.Test;

/** Tests of TestNG with groups. */
public class GroupedTest {
  @Test
  public void plain() {}

  @Test(groups = "Slow")
  public void slow() {}
}
