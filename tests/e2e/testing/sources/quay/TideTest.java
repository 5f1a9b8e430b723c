// SPDX-License-Identifier: Apache-2.0
package quay;

import static org.testng.Assert.assertEquals;
import static org.testng.Assert.assertNotNull;

import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

/** Tests that need others, by name, by group, and in another class. */
public class TideTest {
  private String port;
  private int calls;

  @Test(groups = "chart")
  public void read() {
    port = "Rye";
  }

  @Test(dependsOnMethods = "read")
  public void plan() {
    assertNotNull(port);
  }

  @Test(dependsOnMethods = "plan")
  public void leave() {
    assertEquals(port, "Rye");
  }

  @Test(dependsOnGroups = "ch.*")
  public void anchor() {
    assertNotNull(port);
  }

  @DataProvider
  public Object[][] depths() {
    return new Object[][] {{1}, {0}, {3}};
  }

  @Test(dataProvider = "depths", dependsOnMethods = "read")
  public void sounds(int depth) {
    assertNotNull(port);
    assertEquals(depth > 0, true);
  }

  @Test
  public void strands() {
    throw new IllegalStateException("aground");
  }

  @Test(dependsOnMethods = "strands")
  public void never() {}

  @Test(invocationCount = 3)
  public void rings() {
    assertEquals(++calls == 2, false);
  }

  @Test(dependsOnGroups = "harbour", dependsOnMethods = "quay.LockTest.opens")
  public void passes() {
    assertEquals(LockTest.opened, 2);
  }
}
