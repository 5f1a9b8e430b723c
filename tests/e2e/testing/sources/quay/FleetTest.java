// SPDX-License-Identifier: Apache-2.0
package quay;

import static org.testng.Assert.assertNotEquals;

import org.testng.annotations.DataProvider;
import org.testng.annotations.Factory;
import org.testng.annotations.Test;

/** Three instances, the second of which fails. */
public class FleetTest {
  private final int number;

  @Factory(dataProvider = "numbers")
  public FleetTest(int number) {
    this.number = number;
  }

  @DataProvider
  public static Object[][] numbers() {
    return new Object[][] {{1}, {2}, {3}};
  }

  @DataProvider
  public Object[][] loads() {
    return new Object[][] {{"a"}, {"b"}};
  }

  @Test
  public void floats() {
    assertNotEquals(number, 2);
  }

  @Test(dependsOnMethods = "floats")
  public void sails() {}

  @Test(dataProvider = "loads")
  public void carries(String load) {
    assertNotEquals(number + load, "2b");
  }

  @Override
  public String toString() {
    return "ship " + number;
  }
}
