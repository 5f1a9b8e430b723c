// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test, vi } from "vitest";

import { forceEarlyReturn, popFrame } from "../src/commands/frame";
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
