// SPDX-License-Identifier: Apache-2.0
package depot;

import junit.framework.Test;
import junit.framework.TestSuite;

public class OlderSuite {
  public static Test suite() {
    TestSuite suite = new TestSuite("of depot");
    suite.addTestSuite(OlderCrateTest.class);
    return suite;
  }
}
