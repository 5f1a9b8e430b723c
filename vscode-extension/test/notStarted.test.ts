// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { tellNotStarted } from "../src/commands/notStarted";
import * as stub from "./vscode";

const log = { appendLine: vi.fn(), show: vi.fn() };

beforeEach(() => {
  vi.resetAllMocks();
});

function event(message: string, request: string, type = "jvmdebug"): vscode.DebugSessionCustomEvent {
  const session = { type, configuration: { type, request, name: "x" } };
  return { event: "jvmdebug/notStarted", session, body: { message } } as unknown as vscode.DebugSessionCustomEvent;
}

test("one line is shown, and all that a build said on request", async () => {
  stub.window.showErrorMessage.mockResolvedValue("Show Output");
  await tellNotStarted(event("Maven failed:\n[ERROR] one\n[ERROR] two", "launch"), log);
  expect(stub.window.showErrorMessage).toHaveBeenCalledWith("Not started: Maven failed: [ERROR] one", "Show Output");
  expect(log.appendLine).toHaveBeenCalledWith("Not started: Maven failed:\n[ERROR] one\n[ERROR] two");
  expect(log.show).toHaveBeenCalledOnce();
});

test("what is one line has no more to show, and other debuggers' events are theirs", async () => {
  await tellNotStarted(event("nothing listens on localhost:1", "attach"), log);
  await tellNotStarted(event("no", "launch", "node"), log);
  expect(stub.window.showErrorMessage.mock.calls).toEqual([["Not attached: nothing listens on localhost:1"]]);
});
