// SPDX-License-Identifier: Apache-2.0
package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CartTest {
  @Test
  void adds() {
    assertEquals(5, 2 + 3);
  }

  @Test
  @DisplayName("takes one \u2028 away")
  void removes() {
    int left = 5 - 1;
    assertEquals(3, left, "what is left"); // @fails
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void prices(int cents) {
    assertEquals(1, cents % 2); // @odd
  }

  @Test
  @Disabled("not yet")
  void later() {}

  @Test
  void assumes() {
    Assumptions.assumeTrue(false, "no network");
  }

  @Nested
  class WhenEmpty {
    @Test
    void hasNoItems() {}
  }
}
