// SPDX-License-Identifier: Apache-2.0
package quay;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of which class, method and number of the call are not enough to tell them apart. */
class CratesTest {
  @TestFactory
  Stream<DynamicNode> stacks() {
    return Stream.of("left", "right")
        .map(
            side ->
                dynamicContainer(
                    side,
                    Stream.of(1, 2)
                        .map(
                            number ->
                                dynamicTest(
                                    "crate " + number,
                                    () -> assertNotEquals("right2", side + number)))));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void weighs(int kilos) {
    assertNotEquals(2, kilos);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "b"})
  void weighs(String mark) {
    assertNotEquals("c", mark);
  }

  @Test
  void opens() {}

  @Test
  void opens(TestInfo info) {
    assertNotEquals("opens(TestInfo)", info.getDisplayName());
  }
}
