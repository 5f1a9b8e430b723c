// SPDX-License-Identifier: Apache-2.0
package yard;

import static org.junit.jupiter.api.Assertions.fail;

import org.junit.jupiter.api.Test;

/** Tests for what has a weight. */
public interface Weighed {
  @Test
  default void hasWeight() {
    fail("no weight");
  }
}
