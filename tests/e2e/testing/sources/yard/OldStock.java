// SPDX-License-Identifier: Apache-2.0
package yard;

/** Written for JUnit 4. */
public abstract class OldStock {
  @org.junit.Test
  public void isOld() {
    org.junit.Assert.assertEquals(1, 2);
  }
}
