// SPDX-License-Identifier: Apache-2.0
package depot;

import yard.Stock;
import yard.Weighed;

/** Declares no test. */
class CrateTest extends Stock implements Weighed {}
