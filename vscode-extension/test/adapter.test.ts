// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { AdapterFactory, candidates } from "../src/adapter";
import * as stub from "./vscode";

function configured(command: string): vscode.DebugSession {
  stub.workspace.getConfiguration.mockReturnValue({ get: () => command });
  return {} as vscode.DebugSession;
}

beforeEach(() => vi.clearAllMocks());

test("a command that the user has set stands alone", () => {
  expect(candidates("/opt/jvmdebug")).toEqual([{ command: "/opt/jvmdebug", args: [] }]);
});

test("the command on the PATH comes before the module of python3", () => {
  expect(candidates("").map((item) => item.command)).toEqual(["jvmdebug", "python3"]);
});

test("a command that answers --version is started as an adapter on stdio", async () => {
  // `node --version` answers as jvmdebug would.
  const descriptor = await new AdapterFactory().createDebugAdapterDescriptor(
    configured(process.execPath),
  );
  expect(descriptor).toEqual(new stub.DebugAdapterExecutable(process.execPath, ["dap"]));
});

test("a command that is not there is named, with the way out", async () => {
  const session = configured("/nowhere/jvmdebug");
  await expect(new AdapterFactory().createDebugAdapterDescriptor(session)).rejects.toThrow(
    /\/nowhere\/jvmdebug.*pip install jvmdebug/,
  );
  expect(stub.window.showErrorMessage).toHaveBeenCalledWith(
    expect.stringContaining("/nowhere/jvmdebug"),
    "Open Settings",
  );
});
