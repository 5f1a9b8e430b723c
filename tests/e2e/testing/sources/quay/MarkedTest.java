// SPDX-License-Identifier: Apache-2.0
package quay;

import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Tests of JUnit 4 with categories. */
public class MarkedTest {
  interface Slow {}

  interface Slower extends Slow {}

  @Test
  public void plain() {}

  @Test
  @Category(Slower.class)
  public void slow() {}
}
