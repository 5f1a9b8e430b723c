// SPDX-License-Identifier: Apache-2.0
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { adapterCommand, AdapterFactory, failure, isInstalled, StartTracker, useEnvironment } from "../src/adapter";
import { locate } from "../src/locate";
import * as stub from "./vscode";

let directory = "";

beforeEach(() => {
  vi.clearAllMocks();
  directory = mkdtempSync(join(tmpdir(), "jvmdebug-"));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

/** An executable script at a path below the test's directory. */
function script(path: string, text = "exit 0"): string {
  const file = join(directory, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

function configured(command: string): vscode.DebugSession {
  stub.workspace.getConfiguration.mockReturnValue({
    get: (name: string, otherwise: unknown) => (name === "command" ? command : otherwise),
  });
  return {} as vscode.DebugSession;
}

test("a virtual environment of the folder comes before the PATH", async () => {
  const onPath = script("bin/jvmdebug");
  const environment = { PATH: join(directory, "bin") };
  expect((await locate("", directory, [], environment)).found).toBe(onPath);
  const inFolder = script("venv/bin/jvmdebug");
  expect((await locate("", directory, [], environment)).found).toBe(inFolder);
});

test("the environment that VS Code was started in, or that the Python extension has selected", async () => {
  const inherited = script("inherited/bin/jvmdebug");
  const environment = { VIRTUAL_ENV: join(directory, "inherited"), PATH: "" };
  expect((await locate("", undefined, [], environment)).found).toBe(inherited);
  const selected = script("selected/bin/jvmdebug");
  const path = join(directory, "selected", "bin", "python");
  stub.extensions.getExtension.mockReturnValueOnce({
    isActive: true,
    exports: { environments: { getActiveEnvironmentPath: () => ({ path }) } },
  });
  expect((await locate("", undefined, [], environment)).found).toBe(selected);
});

test("a command that the user has set stands alone", async () => {
  script(".venv/bin/jvmdebug");
  expect((await locate("/nowhere/jvmdebug", directory, [])).found).toBeUndefined();
});

test("a relative setting is relative to the folder, a bare name is on the PATH", async () => {
  const tool = script("tools/debugger");
  expect((await locate("tools/debugger", directory, [])).found).toBe(tool);
  expect((await locate("${workspaceFolder}/tools/debugger", directory, [])).found).toBe(tool);
  const environment = { PATH: join(directory, "tools") };
  expect((await locate("debugger", directory, [], environment)).found).toBe(tool);
});

test("the adapter is started at once, without asking for the version first", async () => {
  const started = join(directory, "started");
  const command = script("jvmdebug", `touch ${started}; echo jvmdebug 1.0`);
  const descriptor = await new AdapterFactory().createDebugAdapterDescriptor(configured(command));
  expect(descriptor).toEqual(new stub.DebugAdapterExecutable(command, ["dap"], { env: {} }));
  expect(() => {
    rmSync(started);
  }).toThrow("ENOENT");
});

test("a command that is not there is named, with the way out", async () => {
  const session = configured("/nowhere/jvmdebug");
  await expect(new AdapterFactory().createDebugAdapterDescriptor(session)).rejects.toThrow(
    /\/nowhere\/jvmdebug.*pip install jvmdebug/,
  );
});

test("before the start, a wrong setting is named and nothing is installed", async () => {
  configured("/nowhere/jvmdebug");
  expect(await isInstalled(undefined)).toBe(false);
  expect(stub.window.showErrorMessage).toHaveBeenCalledWith(
    expect.stringContaining("/nowhere/jvmdebug"),
    "Open Settings",
  );
});

test("beside the real python3 of the PATH, and the private environment after all others", async () => {
  const real = script("python/bin/jvmdebug");
  const python = script("python/bin/python3");
  mkdirSync(join(directory, "bin"));
  symlinkSync(python, join(directory, "bin", "python3"));
  const environment = { PATH: join(directory, "bin") };
  expect((await locate("", undefined, [], environment)).found).toBe(real);
  const own = script("own/bin/jvmdebug");
  const { found, tried } = await locate("", undefined, [own], { PATH: "" });
  expect(found).toBe(own);
  expect(tried.at(-1)).toBe(own);
});

test("the order: setting, environment of the folder, PATH, what the extension brings, private environment", async () => {
  const places = {
    set: script("set/jvmdebug"),
    inFolder: script("folder/.venv/bin/jvmdebug"),
    onPath: script("bin/jvmdebug"),
    carried: script("extension/jvmdebug/jvmdebug"),
    own: script("own/bin/jvmdebug"),
  };
  const folder = join(directory, "folder");
  const environment = { PATH: join(directory, "bin") };
  const located = async (setting = "") =>
    (await locate(setting, folder, [places.carried, places.own], environment)).found;
  expect(await located(places.set)).toBe(places.set);
  for (const each of [places.inFolder, places.onPath, places.carried, places.own]) {
    expect(await located()).toBe(each);
    rmSync(each);
  }
  expect(await located()).toBeUndefined();
});

test("what the extension brings is made executable", async () => {
  const carried = script("extension/jvmdebug/jvmdebug");
  chmodSync(carried, 0o644);
  configured("");
  useEnvironment(undefined, carried);
  const { found } = await locate("", undefined, [carried], { PATH: "" });
  expect(found).toBeUndefined();
  expect((await adapterCommand(undefined)).endsWith("jvmdebug")).toBe(true);
  expect((await locate("", undefined, [carried], { PATH: "" })).found).toBe(carried);
  useEnvironment(undefined);
});

test("on Windows: Scripts, .exe, a Path with semicolons, and folders with drives", async () => {
  const windows = { platform: "win32", arch: "x64" } as const;
  const environment = { Path: '"C:\\Program Files\\Java\\bin";relative;D:\\tools', VIRTUAL_ENV: "C:\\own env" };
  const { tried } = await locate("", "C:\\work\\shop", ["C:\\last\\jvmdebug.exe"], environment, windows);
  expect(tried.slice(0, 6)).toEqual([
    "C:\\work\\shop\\.venv\\Scripts\\jvmdebug.exe",
    "C:\\work\\shop\\venv\\Scripts\\jvmdebug.exe",
    "C:\\work\\shop\\env\\Scripts\\jvmdebug.exe",
    "C:\\own env\\Scripts\\jvmdebug.exe",
    "C:\\Program Files\\Java\\bin\\jvmdebug.exe",
    "D:\\tools\\jvmdebug.exe",
  ]);
  expect(tried.at(-1)).toBe("C:\\last\\jvmdebug.exe");
  const named = (text: string) => locate(text, "C:\\work", [], environment, windows);
  expect((await named("tools\\debugger.exe")).tried).toEqual(["C:\\work\\tools\\debugger.exe"]);
  expect((await named("tools/debugger.exe")).tried).toEqual(["C:\\work\\tools\\debugger.exe"]);
  expect((await named("\\\\server\\share\\debugger.exe")).tried).toEqual(["\\\\server\\share\\debugger.exe"]);
  expect((await named("debugger")).tried.at(-1)).toBe("D:\\tools\\debugger.exe");
});

test("a system on which jvmdebug does not run is named before anything else", async () => {
  configured("");
  useEnvironment(undefined);
  vi.stubEnv("PATH", directory);
  vi.stubEnv("HOME", directory);
  vi.stubEnv("VIRTUAL_ENV", "");
  const system = { platform: "freebsd", arch: "riscv64" } as const;
  expect(await isInstalled(undefined, system)).toBe(false);
  const told = expect.stringMatching(/^jvmdebug does not run on freebsd \(riscv64\)\. It runs on Linux/) as unknown;
  expect(stub.window.showErrorMessage).toHaveBeenCalledWith(told, "Open Settings");
  await expect(adapterCommand(undefined, system)).rejects.toThrow(/^jvmdebug does not run on freebsd/);
  await expect(adapterCommand(undefined, { platform: "darwin", arch: "arm64" })).rejects.toThrow(/^jvmdebug was not found/);
  vi.unstubAllEnvs();
});

test("an adapter that ends before its first message is explained", async () => {
  const command = script("jvmdebug", "echo no module named pydantic >&2; exit 1");
  new StartTracker(configured(command)).onExit();
  await vi.waitFor(() => {
    expect(stub.window.showErrorMessage).toHaveBeenCalledWith(
      expect.stringMatching(/did not start.*no module named pydantic/),
      "Open Settings",
    );
  });
});

test("an adapter that ends after it has answered is not explained", () => {
  const tracker = new StartTracker(configured("/nowhere/jvmdebug"));
  tracker.onDidSendMessage();
  tracker.onExit();
  expect(stub.workspace.getConfiguration).not.toHaveBeenCalled();
});

test("another command is told from jvmdebug by its version", async () => {
  expect(await failure(script("a", "echo jvmdebug 0.1.0"))).toBeUndefined();
  expect(await failure(script("b", "echo v20"))).toBe("it is another command");
});
