// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test, vi } from "vitest";

import { Observations } from "../src/commands/observe";
import { expressionAt } from "../src/hovers";
import { core } from "../src/sources/core";
import * as stub from "./vscode";

const customRequest = vi.fn();
const status = { show: vi.fn(), hide: vi.fn(), text: "" };
const session = { id: "1", name: "Cart", type: "jvmdebug", customRequest };

beforeEach(() => {
  vi.resetAllMocks();
  stub.window.createStatusBarItem.mockReturnValue(status);
  stub.debug.activeDebugSession = session;
  stub.debug.activeStackItem = undefined;
  stub.window.activeTextEditor = undefined;
});

test("the editor of a Kotlin file proposes what is at the cursor, too", async () => {
  const text = "package shop\nclass Cart {\n  var total = 0\n  fun add() {}\n}\n";
  const open = (languageId: string, path: string, line: number): void => {
    stub.window.activeTextEditor = {
      document: { languageId, uri: { fsPath: path }, getText: () => text, getWordRangeAtPosition: () => undefined },
      selection: { active: { line } },
    };
  };
  const observations = new Observations();
  const asked = vi.spyOn(core, "at").mockResolvedValue("shop.Cart#add");
  stub.window.showInputBox.mockResolvedValue(undefined);
  open("kotlin", "/shop/Cart.kt", 3);
  await observations.traceMethod();
  open("plaintext", "/shop/Cart.txt", 3);
  await observations.traceMethod();
  const proposed = stub.window.showInputBox.mock.calls as [{ value: string }][];
  expect(proposed.map(([{ value }]) => value)).toEqual(["shop.Cart#add", ""]);
  expect(asked).toHaveBeenCalledExactlyOnceWith("method", expect.anything(), 3, undefined);
});

test("a field of a shown variable is watched without a question, and stopped by the status bar", async () => {
  const observations = new Observations();
  customRequest.mockResolvedValueOnce({ observation: 3, title: "writes to shop.Cart.total" });
  await observations.whoSets({ container: { variablesReference: 9 }, variable: { name: "total" } });
  expect(customRequest).toHaveBeenCalledWith("jvmdebug/whoSets", { variablesReference: 9, name: "total" });
  expect(stub.window.showInputBox).not.toHaveBeenCalled();
  expect(status.text).toBe("$(eye) writes to shop.Cart.total");
  await observations.stop();
  expect(customRequest).toHaveBeenLastCalledWith("jvmdebug/stopObserving", { observation: 3 });
  const [[told]] = stub.debug.onDidReceiveDebugSessionCustomEvent.mock.calls as [[(event: unknown) => void]];
  told({ event: "jvmdebug/observationEnded", session, body: { observation: 3, title: "" } });
  expect(status.hide).toHaveBeenCalled();
  await observations.stop();
  expect(stub.window.setStatusBarMessage).toHaveBeenCalledWith("jvmdebug: nothing is traced", 5000);
});

test("what is typed is checked, and the adapter's answer to a mistake is shown", async () => {
  const observations = new Observations();
  stub.window.showInputBox.mockResolvedValueOnce(" shop.Cart#* ");
  customRequest.mockRejectedValueOnce(new Error("no class shop.Cart"));
  await observations.traceMethod();
  expect(customRequest).toHaveBeenCalledWith("jvmdebug/trace", { method: "shop.Cart#*" });
  expect(stub.window.showErrorMessage).toHaveBeenCalledWith("no class shop.Cart");
  const [[{ validateInput }]] = stub.window.showInputBox.mock.calls as [[{ validateInput: (typed: string) => unknown }]];
  expect(["shop.Cart#add", "shop.Cart#<init>(int)", "Cart#*"].map(validateInput)).toEqual([undefined, undefined, undefined]);
  for (const wrong of ["", "add", "shop.Cart.add"]) {
    expect(validateInput(wrong)).toMatch(/^Type the class, # and the method/);
  }
  stub.debug.activeStackItem = new stub.DebugStackFrame(7);
  stub.window.showInputBox.mockResolvedValueOnce("");
  await observations.traceMethod();
  expect(customRequest).toHaveBeenLastCalledWith("jvmdebug/trace", { frameId: 7 });
});

test.each([
  ["int n = cart.owner.name;", "cart", "cart"],
  ["int n = cart.owner.name;", "owner", "cart.owner"],
  ["int n = cart.owner.name;", "name", "cart.owner.name"],
  ["this.total = 1;", "total", "this.total"],
  ["this.total = 1;", "this", "this"],
  ["cart.size();", "size", undefined],
  ["cart.size();", "cart", "cart"],
  ["get().owner", "owner", undefined],
  ["rows[i].owner", "owner", undefined],
  ["rows[i].owner", "i", "i"],
  ["return total;", "return", undefined],
])("over %s, at %s, VS Code evaluates %s", (line, name, wanted) => {
  const at = line.search(new RegExp(`\\b${name}\\b`));
  const found = expressionAt(line, at);
  expect(found === undefined ? undefined : line.slice(found.begin, found.end)).toBe(wanted);
});
