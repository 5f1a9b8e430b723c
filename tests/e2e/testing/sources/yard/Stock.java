// SPDX-License-Identifier: Apache-2.0
package yard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The tests of every kind of stock. */
public abstract class Stock {
  protected int pieces = 3;

  @Test
  void countsPieces() {
    assertEquals(3, pieces);
  }

  @Test
  public void isNeverWhole() {
    assertEquals(4, pieces);
  }

  @Nested
  class WhenEmpty {
    @Test
    void hasNone() {
      assertEquals(0, pieces);
    }
  }
}
