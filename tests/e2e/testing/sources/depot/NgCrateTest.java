// SPDX-License-Identifier: Apache-2.0
package depot;

import org.testng.Assert;

public class NgCrateTest extends yard.NgStock {
  public void isNew() {
    Assert.assertEquals(1, 1);
  }
}
