// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { forceEarlyReturn, methodAround, popFrame, showOrigins } from "../src/commands/frame";
import { openSessions } from "../src/commands/session";
import * as stub from "./vscode";

const customRequest = vi.fn();

beforeEach(() => {
  vi.resetAllMocks();
  stub.debug.activeDebugSession = { type: "jvmdebug", customRequest };
  stub.debug.activeStackItem = new stub.DebugStackFrame(7);
});

test("pop frame asks the adapter for the selected frame", async () => {
  await popFrame();
  expect(customRequest).toHaveBeenCalledWith("jvmdebug/popFrame", { frameId: 7 });
});

test("where tasks came from is asked of the session, whatever is selected", async () => {
  stub.debug.activeStackItem = undefined;
  await showOrigins();
  expect(customRequest).toHaveBeenCalledWith("jvmdebug/origins", {});
});

test("where tasks came from is asked of the session whose row was clicked", async () => {
  const asked = vi.fn();
  const clicked = { id: "2", type: "jvmdebug", customRequest: asked } as unknown as vscode.DebugSession;
  openSessions.set("2", clicked);
  await showOrigins({ sessionId: "2" });
  expect(asked).toHaveBeenCalledWith("jvmdebug/origins", {});
  expect(customRequest).not.toHaveBeenCalled();
  openSessions.clear();
  await showOrigins({ sessionId: "2" });
  expect(customRequest).toHaveBeenCalledOnce();
});

test("without a selected frame nothing is asked and the user is told", async () => {
  stub.debug.activeStackItem = undefined;
  await popFrame();
  expect(customRequest).not.toHaveBeenCalled();
  expect(stub.window.showErrorMessage).toHaveBeenCalledOnce();
});

test.each([
  ["a + 1", { frameId: 7, expression: "a + 1" }],
  ["  ", { frameId: 7 }],
])("force return sends %j", async (typed, expected) => {
  stub.window.showInputBox.mockResolvedValue(typed);
  await forceEarlyReturn();
  expect(customRequest).toHaveBeenCalledWith("jvmdebug/forceEarlyReturn", expected);
});

test("a dismissed input box changes nothing", async () => {
  stub.window.showInputBox.mockResolvedValue(undefined);
  await forceEarlyReturn();
  expect(customRequest).not.toHaveBeenCalled();
});

test("an error of the adapter is shown", async () => {
  customRequest.mockRejectedValue(new Error("the frame is native"));
  await popFrame();
  expect(stub.window.showErrorMessage).toHaveBeenCalledWith("the frame is native");
});

test("bytecode is of the method of the frame, not of its neighbours", () => {
  const of = (address: string, symbol?: string) => ({ address, instruction: "nop", ...(symbol === undefined ? {} : { symbol }) });
  const all = [of("1", "A.<init>()"), of("2"), of("3", "A.f()"), of("4"), of("5"), of("6", "A.g()"), of("7")];
  const addresses = (here: string) => methodAround(all, here).map((each) => each.address);
  expect(["3", "4", "5"].map(addresses)).toEqual([["3", "4", "5"], ["3", "4", "5"], ["3", "4", "5"]]);
  expect(addresses("7")).toEqual(["6", "7"]);
  expect(addresses("1")).toEqual(["1", "2"]);
});
