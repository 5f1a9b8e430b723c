// SPDX-License-Identifier: Apache-2.0
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { AdapterFactory, failure, isInstalled, StartTracker } from "../src/adapter";
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
  expect((await locate("", directory, undefined, environment)).found).toBe(onPath);
  const inFolder = script("venv/bin/jvmdebug");
  expect((await locate("", directory, undefined, environment)).found).toBe(inFolder);
});

test("the environment that VS Code was started in, or that the Python extension has selected", async () => {
  const inherited = script("inherited/bin/jvmdebug");
  const environment = { VIRTUAL_ENV: join(directory, "inherited"), PATH: "" };
  expect((await locate("", undefined, undefined, environment)).found).toBe(inherited);
  const selected = script("selected/bin/jvmdebug");
  const path = join(directory, "selected", "bin", "python");
  stub.extensions.getExtension.mockReturnValueOnce({
    isActive: true,
    exports: { environments: { getActiveEnvironmentPath: () => ({ path }) } },
  });
  expect((await locate("", undefined, undefined, environment)).found).toBe(selected);
});

test("a command that the user has set stands alone", async () => {
  script(".venv/bin/jvmdebug");
  expect((await locate("/nowhere/jvmdebug", directory, undefined)).found).toBeUndefined();
});

test("a relative setting is relative to the folder, a bare name is on the PATH", async () => {
  const tool = script("tools/debugger");
  expect((await locate("tools/debugger", directory, undefined)).found).toBe(tool);
  expect((await locate("${workspaceFolder}/tools/debugger", directory, undefined)).found).toBe(tool);
  const environment = { PATH: join(directory, "tools") };
  expect((await locate("debugger", directory, undefined, environment)).found).toBe(tool);
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
  expect((await locate("", undefined, undefined, environment)).found).toBe(real);
  const own = script("own/bin/jvmdebug");
  const { found, tried } = await locate("", undefined, own, { PATH: "" });
  expect(found).toBe(own);
  expect(tried.at(-1)).toBe(own);
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
