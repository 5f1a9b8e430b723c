// SPDX-License-Identifier: Apache-2.0
package yard;

import junit.framework.TestCase;

/** Written for JUnit 3. */
public abstract class OlderStock extends TestCase {
  public void testAge() {
    assertEquals(1, 2);
  }
}
