// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test, vi } from "vitest";

import { openEvaluate, textToEvaluate } from "../src/commands/evaluate";
import * as stub from "./vscode";

let typed: string;
const inserted = vi.fn();

/** A document of which the window has read `typed` so far. */
function scratch(): object {
  return {
    getText: () => typed,
    get lineCount() {
      return typed.split("\n").length;
    },
    lineAt: (line: number) => ({ range: { end: `the end of line ${String(line)}` } }),
  };
}

beforeEach(() => {
  vi.resetAllMocks();
  typed = "";
  stub.workspace.openTextDocument.mockImplementation(() => Promise.resolve(scratch()));
  Object.assign(stub.window, { showTextDocument: () => Promise.resolve({ insertSnippet: inserted }) });
  stub.window.activeTextEditor = undefined;
});

function select(text: string, uri = "file:///Cart.java"): void {
  stub.window.activeTextEditor = { selection: {}, document: { uri, getText: () => text } };
}

async function opened(): Promise<[text: string, at: unknown] | undefined> {
  await openEvaluate();
  const [snippet, at] = (inserted.mock.calls[0] ?? []) as [{ value: string } | undefined, unknown];
  return snippet === undefined ? undefined : [snippet.value, at];
}

test("a new window has the hint, and what was selected", async () => {
  expect((await opened())?.[0]).toMatch(/^\/\/ Ctrl\+Enter .*\n\/\/ in .*\n\$0$/);
  inserted.mockClear();
  select("cart.total()");
  expect((await opened())?.[0]).toMatch(/^\/\/ Ctrl\+Enter .*\n\/\/ in .*\n\[cart.total\(\)\]$/);
});

test("what was typed there stays, above what was selected elsewhere", async () => {
  typed = "// hint\nint many = 3;";
  expect(await opened()).toBeUndefined();
  select("cart.total()");
  expect(await opened()).toEqual(["\n[cart.total()]", "the end of line 1"]);
});

test("the selection is evaluated, else all but the hint", () => {
  expect(textToEvaluate("all", " one ")).toBe(" one ");
  expect(textToEvaluate("all", "")).toBe("all");
});
