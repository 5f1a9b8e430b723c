// SPDX-License-Identifier: Apache-2.0
package depot;

import yard.Rule;

class RuledTest {
  @Rule({"x"})
  void isRuled() {}
}
