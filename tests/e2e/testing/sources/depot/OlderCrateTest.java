// SPDX-License-Identifier: Apache-2.0
package depot;

public class OlderCrateTest extends yard.OlderStock {}
