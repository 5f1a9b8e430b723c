// SPDX-License-Identifier: Apache-2.0
package shop;

import static org.testng.Assert.assertEquals;

import org.testng.SkipException;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

public class NgTest {
  @Test
  public void adds() {
    assertEquals(5, 2 + 3);
  }

  @DataProvider
  public Object[][] prices() {
    return new Object[][] {{1, "a"}, {2, "b"}, {3, "c"}};
  }

  @Test(dataProvider = "prices")
  public void odd(int cents, String name) {
    assertEquals(cents % 2, 1, name); // @ng_odd
  }

  @Test
  public void skips() {
    throw new SkipException("not here");
  }
}
