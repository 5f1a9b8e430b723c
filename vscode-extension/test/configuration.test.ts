// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { ConfigurationProvider, problem } from "../src/configuration";
import { core } from "../src/sources/core";
import { stubDeclared } from "./declared";
import * as stub from "./vscode";

const provider = new ConfigurationProvider();
const empty = {} as vscode.DebugConfiguration;

beforeEach(() => {
  vi.clearAllMocks();
  stubDeclared();
  stub.workspace.getConfiguration.mockReturnValue({
    get: (name: string, otherwise: unknown) => (name === "command" ? process.execPath : otherwise),
  });
  stub.window.activeTextEditor = undefined;
  stub.workspace.workspaceFolders = undefined;
});

/** Has the core find main classes, by file, in a folder. */
function below(folder: string, mains: Record<string, string>): void {
  const files = Object.entries(mains).map(([file, className]) => ({ file, mains: [{ className, line: 1 }], tests: [] }));
  vi.spyOn(core, "below").mockImplementation((asked) => Promise.resolve({ files: asked === folder ? files : [], compiled: [] }));
}

test("F5 without a launch.json debugs the open Java file", async () => {
  stub.window.activeTextEditor = {
    document: {
      languageId: "java",
      isUntitled: false,
      uri: { fsPath: "/w/Shop.java" },
      getText: () => "class Shop { public static void main(String[] args) {} }",
    },
  };
  stub.workspace.workspaceFolders = [{ uri: { fsPath: "/w" } }];
  expect(await provider.resolveDebugConfiguration(undefined, empty)).toEqual({
    type: "jvmdebug",
    request: "launch",
    name: "Shop",
    program: "/w/Shop.java",
    mainClass: "Shop",
    cwd: "/w",
    console: "integratedTerminal",
    internalConsoleOptions: "neverOpen",
    sourcePaths: ["/w"],
  });
});

test("exceptions that are thrown on purpose: those of the setting, then those of the configuration", async () => {
  stub.workspace.getConfiguration.mockReturnValue({ get: (name: string, otherwise: unknown) => (name === "controlExceptions" ? ["a.B"] : otherwise) });
  for (const request of ["launch", "attach"]) {
    const given = { type: "jvmdebug", request, name: "Mine", mainClass: "Shop", port: 1, controlExceptions: ["!a.B"] };
    const resolved = await provider.resolveDebugConfiguration(undefined, given);
    expect(resolved).toMatchObject({ controlExceptions: ["a.B", "!a.B"] });
  }
});

test("a configuration that leaves open what to start starts what F5 does, with its other attributes", async () => {
  stub.window.activeTextEditor = {
    document: {
      languageId: "java",
      isUntitled: false,
      uri: { fsPath: "/w/Shop.java" },
      getText: () => "class Shop { public static void main(String[] args) {} }",
    },
  };
  const given = { type: "jvmdebug", request: "launch", name: "Mine", mainClass: "", args: "a b" };
  expect(await provider.resolveDebugConfiguration(undefined, given)).toMatchObject({
    name: "Mine",
    program: "/w/Shop.java",
    mainClass: "Shop",
    args: "a b",
  });
});

test("a new launch.json has the open file and the main classes of the folder", async () => {
  below("/w", { "/w/src/Main.java": "Main" });
  const folder = { uri: { fsPath: "/w" } } as vscode.WorkspaceFolder;
  expect(await provider.provideDebugConfigurations(folder)).toEqual([
    { type: "jvmdebug", request: "launch", name: "Current File", program: "${file}" },
    {
      type: "jvmdebug",
      request: "launch",
      name: "Main",
      program: "${workspaceFolder}/src/Main.java",
      mainClass: "Main",
    },
  ]);
});

test("of the main classes of a project that is named alone one is chosen", async () => {
  below("/p", { "/p/One.java": "One", "/p/Two.java": "Two" });
  stub.window.showQuickPick.mockImplementationOnce((items: unknown[]) => Promise.resolve(items[1]));
  const given = { type: "jvmdebug", request: "launch", name: "x", project: "/p/pom.xml" };
  const resolved = await provider.resolveDebugConfigurationWithSubstitutedVariables(undefined, given);
  expect(resolved).toEqual({ ...given, mainClass: "Two" });
});

test("F5 in a source with tests debugs the one at the cursor, in the Test Explorer", async () => {
  stub.window.activeTextEditor = {
    selection: { active: { line: 2 } },
    document: {
      languageId: "java",
      isUntitled: false,
      uri: { fsPath: "/w/CartTest.java" },
      getText: () => "class CartTest {\n  @Test void adds() {}\n  @Test void removes() {}\n}",
    },
  };
  expect(await provider.resolveDebugConfiguration(undefined, empty)).toBeUndefined();
  const target = { file: "/w/CartTest.java", className: "CartTest", method: "removes" };
  expect(stub.commands.executeCommand).toHaveBeenLastCalledWith("jvmdebug.debugTest", target);
  const withoutDebugging = { noDebug: true } as unknown as vscode.DebugConfiguration;
  expect(await provider.resolveDebugConfiguration(undefined, withoutDebugging)).toBeUndefined();
  expect(stub.commands.executeCommand).toHaveBeenLastCalledWith("jvmdebug.runTest", target);
  expect(stub.window.showErrorMessage).not.toHaveBeenCalled();
});

test("tests run in the folder of their module", async () => {
  stub.workspace.workspaceFolders = [{ uri: { fsPath: "/w" } }];
  const given = { type: "jvmdebug", request: "launch", name: "x", test: "CartTest" };
  const resolved = await provider.resolveDebugConfiguration(undefined, given);
  expect(resolved).toMatchObject({ project: "/w" });
  expect(resolved).not.toHaveProperty("cwd");
});

test("attach gets the source paths only: it starts no program", async () => {
  stub.workspace.workspaceFolders = [{ uri: { fsPath: "/w" } }];
  const given = { type: "jvmdebug", request: "attach", name: "x", port: 5005 };
  expect(await provider.resolveDebugConfiguration(undefined, given)).toEqual({ ...given, sourcePaths: ["/w"] });
});

test("the console that the user names is kept", async () => {
  const given = { type: "jvmdebug", request: "launch", name: "x", mainClass: "A", console: "internalConsole" };
  const resolved = await provider.resolveDebugConfiguration(undefined, given);
  expect(resolved).toMatchObject({ console: "internalConsole" });
  expect(resolved).not.toHaveProperty("internalConsoleOptions");
});

test("F5 without a Java file says what to open", async () => {
  expect(await provider.resolveDebugConfiguration(undefined, empty)).toBeUndefined();
  expect(stub.window.showErrorMessage).toHaveBeenCalledWith(
    expect.stringContaining("open a .java or .kt file"),
  );
});

test("source paths that the user names come before the workspace's, and cwd is kept", async () => {
  stub.workspace.workspaceFolders = [{ uri: { fsPath: "/w" } }];
  const given = { type: "jvmdebug", request: "launch", name: "x", mainClass: "A", cwd: "/c", sourcePaths: ["/s"] };
  expect(await provider.resolveDebugConfiguration(undefined, given)).toMatchObject({
    cwd: "/c",
    sourcePaths: ["/s", "/w"],
  });
});

test.each([
  [{ request: "launch" }, "neither"],
  [{ request: "launch", mainClass: "" }, "neither"],
  [{ request: "attach" }, '"port"'],
  [{ request: "run" }, 'not "run"'],
])("a configuration that cannot work is refused: %j", (fields, words) => {
  expect(problem({ type: "jvmdebug", name: "x", ...fields })).toContain(words);
});

test.each([
  { request: "launch", program: "/a.jar" },
  { request: "launch", mainClass: "a.B" },
  { request: "launch", project: "/w" },
  { request: "launch", test: ["a.BTest"] },
  { request: "attach", port: 0 },
  { request: "attach", processId: "7" },
  { request: "attach", join: "shop.Main" },
  { request: "attach", join: "" },
  { request: "attach", hostName: "unix:/run/app.jdwp" },
  { request: "attach", hostName: "tls://server:7000/shop" },
])("a configuration that can work is let through: %j", async (fields) => {
  const configuration = { type: "jvmdebug", name: "x", ...fields };
  expect(await provider.resolveDebugConfigurationWithSubstitutedVariables(undefined, configuration)).toBe(
    configuration,
  );
});

