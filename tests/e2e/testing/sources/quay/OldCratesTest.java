// SPDX-License-Identifier: Apache-2.0
package quay;

import org.junit.runner.RunWith;
import org.junit.runners.Suite;

/** Runs the tests of two classes. */
@RunWith(Suite.class)
@Suite.SuiteClasses({OldLeftTest.class, OldRightTest.class})
public class OldCratesTest {
  static boolean isPacked;

  @org.junit.BeforeClass
  public static void packs() {
    isPacked = true;
  }
}
