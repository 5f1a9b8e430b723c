// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { followSettings, toggle } from "../src/commands/values";
import { attributesOfSettings } from "../src/settings";
import * as stub from "./vscode";

let customRequest = vi.fn();
const disposable = { dispose: vi.fn() };
let number = 0;
let session = {} as { id: string };
let started: (one: unknown) => void;
let changed: (change: vscode.ConfigurationChangeEvent) => void;

beforeEach(() => {
  vi.resetAllMocks();
  stub.written.length = 0;
  customRequest = vi.fn();
  const configuration = { type: "jvmdebug", request: "launch", name: "x" };
  session = { id: String(++number), type: "jvmdebug", configuration, customRequest } as { id: string };
  stub.debug.activeDebugSession = session;
  stub.debug.onDidStartDebugSession.mockImplementation((listener: typeof started) => {
    started = listener;
    return disposable;
  });
  stub.workspace.onDidChangeConfiguration.mockImplementation((listener: typeof changed) => {
    changed = listener;
    return disposable;
  });
  stub.debug.onDidTerminateDebugSession.mockReturnValue(disposable);
  stub.debug.onDidChangeActiveDebugSession.mockReturnValue(disposable);
});

afterEach(() => {
  for (const name of Object.keys(stub.settings)) {
    Reflect.deleteProperty(stub.settings, name);
  }
});

/** Changes a setting, as a person does in the editor of settings. */
async function change(name: string, value: unknown): Promise<void> {
  stub.settings[name] = value;
  changed({ affectsConfiguration: (asked) => asked === name });
  await new Promise((done) => setImmediate(done));
}

test("a toggle is written to the settings and has a tick", async () => {
  await toggle("hex");
  expect(customRequest.mock.calls).toEqual([["jvmdebug/valueStyle", { hex: true }]]);
  expect(stub.written).toEqual([["jvmdebug.variables.hexadecimal", true, stub.ConfigurationTarget.Global]]);
  expect(stub.commands.executeCommand).toHaveBeenCalledWith("setContext", "jvmdebug.on.hex", true);
  expect(stub.commands.executeCommand).toHaveBeenCalledWith("setContext", "jvmdebug.on.toString", false);
  await toggle("hex");
  expect(stub.commands.executeCommand).toHaveBeenLastCalledWith("setContext", "jvmdebug.on.suspend", false);
  expect(stub.written.slice(1)).toEqual([["jvmdebug.variables.hexadecimal", false, stub.ConfigurationTarget.Workspace]]);
});

test("a toggle that the adapter refuses is not written", async () => {
  customRequest.mockRejectedValue(new Error("the program has ended"));
  await toggle("suspend");
  expect(stub.written).toEqual([]);
  expect(stub.window.showErrorMessage).toHaveBeenCalledWith("the program has ended");
});

test("the running session follows what is set", async () => {
  const following = followSettings();
  started(session);
  await change("jvmdebug.variables.toString", true);
  await change("jvmdebug.variables.toString", true);
  await change("jvmdebug.suspend", "thread");
  await change("jvmdebug.steps.filters", { skipClasses: ["shop.*"] });
  await change("jvmdebug.steps.filters", undefined);
  expect(customRequest.mock.calls).toEqual([
    ["jvmdebug/valueStyle", { toString: true }],
    ["jvmdebug/suspend", { suspend: "thread" }],
    ["jvmdebug/stepFilters", { filters: { skipClasses: ["shop.*"] } }],
    ["jvmdebug/stepFilters", { filters: {} }],
  ]);
  following.dispose();
  expect(disposable.dispose).toHaveBeenCalledTimes(4);
});

test("a new session has its filters off if the setting has", async () => {
  stub.settings["jvmdebug.steps.useFilters"] = false;
  followSettings();
  started(session);
  await new Promise((done) => setImmediate(done));
  expect(customRequest.mock.calls).toEqual([["jvmdebug/stepFilters", { enabled: false }]]);
});

test("a session begins with the settings, unless its configuration says otherwise", () => {
  Object.assign(stub.settings, {
    "jvmdebug.variables.toString": true,
    "jvmdebug.variables.hexadecimal": true,
    "jvmdebug.steps.justMyCode": true,
    "jvmdebug.steps.filters": { skipClasses: ["a.*"] },
    "jvmdebug.suspend": "thread",
  });
  const bare = { type: "jvmdebug", request: "launch", name: "x" };
  expect(attributesOfSettings(bare, undefined)).toEqual({
    values: { hex: true, toString: true },
    justMyCode: true,
    stepFilters: { skipClasses: ["a.*"] },
    suspend: "thread",
  });
  const own = { ...bare, values: { hex: false }, justMyCode: false, stepFilters: {}, suspend: "all" };
  expect(attributesOfSettings(own, undefined)).toEqual({ values: { hex: false, toString: true } });
});
