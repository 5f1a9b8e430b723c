// SPDX-License-Identifier: Apache-2.0
package shop;

import junit.framework.TestCase;

public class OddsTest extends TestCase {
  public void testOne() {
    assertEquals(1, 1);
  }
}
