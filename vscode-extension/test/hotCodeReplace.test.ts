// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test, vi } from "vitest";

import { ClassFileWatcher, classDirectories, hotCodeReplace } from "../src/commands/hotCodeReplace";
import type { SavedSources } from "../src/commands/saveAndReplace";
import { toggle } from "../src/commands/values";
import * as stub from "./vscode";

const customRequest = vi.fn();
const configuration = {
  type: "jvmdebug",
  request: "launch",
  name: "x",
  classPaths: ["build/classes", "/opt/classes", "lib/a.jar", "lib/*", "$Auto", "!no"],
};
const session = {
  id: "1",
  type: "jvmdebug",
  customRequest,
  configuration,
  workspaceFolder: { uri: { fsPath: "/shop" } },
};

const nothingSaved = { hasWaiting: () => false } as unknown as SavedSources;

beforeEach(() => {
  vi.resetAllMocks();
  stub.debug.activeDebugSession = session;
  stub.workspace.getConfiguration.mockReturnValue({ get: () => "manual" });
  customRequest.mockResolvedValue({ classes: [] });
});

test("the directories of the class path, relative to the folder", () => {
  expect(classDirectories(configuration, "/shop")).toEqual(["/shop/build/classes", "/opt/classes"]);
  expect(classDirectories({ ...configuration, cwd: "/w" }, "/shop")[0]).toBe("/w/build/classes");
  expect(classDirectories({ ...configuration, classPaths: undefined }, "/shop")).toEqual([]);
});

test("saved sources come before class files, and never is never", async () => {
  const replace = vi.fn();
  const saved = { hasWaiting: () => true, replace } as unknown as SavedSources;
  await hotCodeReplace(saved);
  expect(replace).toHaveBeenCalledWith(session);
  stub.workspace.getConfiguration.mockReturnValue({ get: () => "never" });
  await hotCodeReplace(saved);
  expect(stub.window.showErrorMessage).toHaveBeenCalledWith(expect.stringContaining("never"));
  expect(customRequest).not.toHaveBeenCalled();
});

test("what was replaced is told quietly", async () => {
  customRequest.mockResolvedValue({
    classes: [{ path: "/a/A.class", name: "A", outcome: "redefined" }],
  });
  await hotCodeReplace(nothingSaved);
  expect(customRequest).toHaveBeenCalledWith("jvmdebug/redefineClasses", {
    paths: ["/shop/build/classes", "/opt/classes"],
  });
  expect(stub.window.showWarningMessage).not.toHaveBeenCalled();
  const told = stub.window.setStatusBarMessage.mock.calls[0] as unknown[];
  expect(told[0]).toBe("Hot code replace: 1 class replaced");
});

test("what was refused is told with the reason", async () => {
  customRequest.mockResolvedValue({
    classes: [
      { path: "/a/A.class", name: "A", outcome: "redefined" },
      { path: "/a/B.class", name: "B", outcome: "refused", reason: "this VM cannot add methods" },
    ],
  });
  await hotCodeReplace(nothingSaved);
  const told = stub.window.showWarningMessage.mock.calls[0] as unknown[];
  expect(told[0]).toContain("1 class replaced; B was not: this VM cannot add methods");
  expect(stub.debug.activeDebugConsole.appendLine).toHaveBeenCalledTimes(2);
});

test("a program that was launched has no others than its saved sources", async () => {
  stub.debug.activeDebugSession = { ...session, configuration: { request: "launch", program: "A.java" } };
  await hotCodeReplace(nothingSaved);
  expect(stub.window.setStatusBarMessage).toHaveBeenCalledWith(expect.stringContaining("no source of the program was saved"), 5000);
  expect(stub.window.showOpenDialog).not.toHaveBeenCalled();
});

test("without directories the user is asked", async () => {
  stub.debug.activeDebugSession = { ...session, configuration: { request: "attach" } };
  stub.window.showOpenDialog.mockResolvedValue([{ fsPath: "/chosen" }]);
  await hotCodeReplace(nothingSaved);
  expect(customRequest).toHaveBeenCalledWith("jvmdebug/redefineClasses", { paths: ["/chosen"] });
});

test("without a session nothing is asked and the user is told", async () => {
  stub.debug.activeDebugSession = undefined;
  await hotCodeReplace(nothingSaved);
  await toggle("hex");
  expect(customRequest).not.toHaveBeenCalled();
  expect(stub.window.showErrorMessage).toHaveBeenCalledTimes(2);
});

test("written class files are replaced together, in the automatic mode", async () => {
  vi.useFakeTimers();
  const disposable = { dispose: vi.fn() };
  const written: ((file: { fsPath: string }) => void)[] = [];
  const listen = (listener: (file: { fsPath: string }) => void) => {
    written.push(listener);
    return disposable;
  };
  stub.workspace.getConfiguration.mockReturnValue({ get: () => "auto" });
  stub.workspace.createFileSystemWatcher.mockReturnValue({
    onDidChange: listen,
    onDidCreate: listen,
    dispose: disposable.dispose,
  });
  let started: (one: unknown) => void = () => undefined;
  let ended: (one: unknown) => void = () => undefined;
  stub.debug.onDidStartDebugSession.mockImplementation((listener: typeof started) => {
    started = listener;
    return disposable;
  });
  stub.debug.onDidTerminateDebugSession.mockImplementation((listener: typeof ended) => {
    ended = listener;
    return disposable;
  });
  const watcher = new ClassFileWatcher();
  started(session);
  written[0]?.({ fsPath: "/shop/build/classes/A.class" });
  written[1]?.({ fsPath: "/shop/build/classes/B.class" });
  await vi.advanceTimersByTimeAsync(1000);
  expect(customRequest).toHaveBeenCalledOnce();
  expect(customRequest).toHaveBeenCalledWith("jvmdebug/redefineClasses", {
    paths: ["/shop/build/classes/A.class", "/shop/build/classes/B.class"],
  });
  ended(session);
  watcher.dispose();
  expect(disposable.dispose.mock.calls.length).toBeGreaterThan(6);
  vi.useRealTimers();
});

test("toggles begin with what the configuration says", async () => {
  stub.debug.activeDebugSession = { ...session, id: "2", configuration: { justMyCode: true, values: { toString: true } } };
  await toggle("justMyCode");
  await toggle("toString");
  await toggle("stepFilters");
  expect(customRequest.mock.calls).toEqual([
    ["jvmdebug/stepFilters", { justMyCode: false }],
    ["jvmdebug/valueStyle", { toString: false }],
    ["jvmdebug/stepFilters", { enabled: false }],
  ]);
});

test("hexadecimal and back", async () => {
  await toggle("hex");
  await toggle("hex");
  expect(customRequest.mock.calls).toEqual([
    ["jvmdebug/valueStyle", { hex: true }],
    ["jvmdebug/valueStyle", { hex: false }],
  ]);
});
