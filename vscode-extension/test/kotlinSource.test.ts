// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { kotlinMains } from "../src/sources/kotlinSource";

test.each([
  ["package shop\n\nfun main() {}", "cart", [{ className: "shop.CartKt", line: 2 }]],
  ["fun main(args: Array<String>) {}", "Main", [{ className: "MainKt", line: 0 }]],
  ["suspend fun main() {}", "main", [{ className: "MainKt", line: 0 }]],
  ['@file:JvmName("Shop")\npackage a.b\nfun main() {}', "x", [{ className: "a.b.Shop", line: 2 }]],
  ["// fun main()\n/*\nfun main()\n*/\nclass A {\n  fun main() {}\n}", "A", []],
])("the main function of %j", (text, stem, expected) => {
  expect(kotlinMains(text, stem)).toEqual(expected);
});
