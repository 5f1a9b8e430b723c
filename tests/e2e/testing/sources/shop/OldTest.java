// SPDX-License-Identifier: Apache-2.0
package shop;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import org.junit.Ignore;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

@RunWith(Parameterized.class)
public class OldTest {
  @Parameterized.Parameters(name = "{0} cents")
  public static Iterable<Integer> cents() {
    return Arrays.asList(1, 2, 3);
  }

  @Parameterized.Parameter public int cents;

  @Test
  public void isOdd() {
    assertEquals("cents", 1, cents % 2); // @old_odd
  }

  @Test
  @Ignore("slow")
  public void waits() {}
}
