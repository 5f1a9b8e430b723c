// SPDX-License-Identifier: Apache-2.0
package yard;

import org.testng.annotations.Test;

/** Written for TestNG: all public methods are tests, those of subclasses too. */
@Test
public abstract class NgStock {
  protected void helps() {}
}
