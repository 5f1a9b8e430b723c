// SPDX-License-Identifier: Apache-2.0
import { expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { type Coverage, type CoveredFile, showCoverage } from "../src/testing/coverage";
import * as stub from "./vscode";

const CART = {
  path: "/w/src/main/java/shop/Cart.java",
  lines: [
    { line: 4, hasRun: true, branches: [[true, false]] },
    { line: 5, hasRun: false, branches: [] },
  ],
  methods: [{ name: "add", line: 3, hasRun: true }],
};
const COVERAGE: Coverage = {
  isComplete: true,
  files: [CART, { ...CART, path: "/w/src/test/java/shop/CartTest.java" }],
};

test("shows lines, branches and methods of files that are no tests", () => {
  const addCoverage = vi.fn();
  showCoverage({ addCoverage } as unknown as vscode.TestRun, COVERAGE, ["/w/src/test/java"]);
  expect(addCoverage).toHaveBeenCalledTimes(1);
  const shown = addCoverage.mock.calls[0]?.[0] as CoveredFile & stub.FileCoverage;
  expect(shown.uri).toEqual({ fsPath: CART.path });
  expect(shown.statementCoverage).toEqual({ covered: 1, total: 2 });
  expect(shown.branchCoverage).toEqual({ covered: 1, total: 2 });
  expect(shown.declarationCoverage).toEqual({ covered: 1, total: 1 });
  const details = shown.details() as unknown as { executed: boolean }[];
  expect(details.map((each) => each.executed)).toEqual([true, false, true]);
});
