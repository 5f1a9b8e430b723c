// SPDX-License-Identifier: Apache-2.0
package quay;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of JUnit 5 with tags. */
class TaggedTest {
  @Test
  void plain() {}

  @Test
  @Tag("Slow")
  void slow() {}
}
