// SPDX-License-Identifier: Apache-2.0
package quay;

import org.junit.Assert;
import org.junit.Test;

public class OldLeftTest {
  @Test
  public void isPacked() {
    Assert.assertFalse(OldCratesTest.isPacked);
  }

  @Test
  public void stands() {}
}
