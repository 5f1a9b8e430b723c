// SPDX-License-Identifier: Apache-2.0
package depot;

/** Two classes away from its tests. */
class BarrelTest extends CrateTest {
  @Override
  public void isNeverWhole() {} // without the annotation: no test any more
}
