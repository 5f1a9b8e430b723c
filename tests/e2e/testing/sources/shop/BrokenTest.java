// SPDX-License-Identifier: Apache-2.0
package shop;

public class BrokenTest {
  @org.junit.BeforeClass
  public static void setUp() {
    throw new IllegalStateException("no database"); // @broken
  }

  @org.junit.Test
  public void good() {}
}
