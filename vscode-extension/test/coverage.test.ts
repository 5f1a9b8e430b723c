// SPDX-License-Identifier: Apache-2.0
import { expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { type Coverage, type CoveredFile, LineTests, showCoverage } from "../src/testing/coverage";
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

test("shows the tests of a line, until the file changes", () => {
  const lineTests = new LineTests();
  const names = [...Array(22).keys()].map((each) => `shop.CartTest#adds[${String(each)}]`);
  const hoverAt = (line: number): string | undefined => {
    const document = { uri: { fsPath: CART.path } } as unknown as vscode.TextDocument;
    const hover = lineTests.provideHover(document, new stub.Position(line - 1, 0) as unknown as vscode.Position);
    return (hover?.contents as unknown as vscode.MarkdownString | undefined)?.value;
  };
  lineTests.update({ ...COVERAGE, tests: names.map((test) => ({ test, path: CART.path, lines: [4] })) });
  lineTests.update(COVERAGE); // of a run that does not tell tests apart
  const text = hoverAt(4) ?? "";
  expect(text).toContain("Run by 22 tests");
  expect(text).toContain(encodeURIComponent(JSON.stringify([{ path: CART.path, line: 4 }])));
  expect(lineTests.testsOf({ path: CART.path, line: 4 })).toEqual(names);
  expect(text).toContain("2 more");
  expect(hoverAt(5)).toBeUndefined();
  lineTests.update({ ...COVERAGE, tests: [{ test: "shop.CartTest#adds", path: CART.path, lines: [5] }] });
  expect(hoverAt(4)).toBeUndefined();
  expect(hoverAt(5)).toContain("Run by one test");
  lineTests.forget(CART.path);
  expect(hoverAt(5)).toBeUndefined();
});
