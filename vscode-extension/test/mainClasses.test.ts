// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { ConfigurationProvider } from "../src/configuration";
import { configurationOf, debugMain, Lenses } from "../src/lenses";
import { core } from "../src/sources/core";
import { isOfTests, mainOfFolder, mainsBelow, remember, selectMainClass } from "../src/sources/mainClasses";
import { declaredIn, stubDeclared } from "./declared";
import * as stub from "./vscode";

const folder = { uri: { fsPath: "/w" } } as unknown as vscode.WorkspaceFolder;
const sources: Record<string, string> = {
  "/w/B.java": "class B { public static void main(String[] a) {} }",
  "/w/A.java": "class A { public static void main(String[] a) {} }",
  "/w/C.java": "class C { }",
};
const kept: Record<string, unknown> = {};
let compiled: { className: string; file: string; project: string }[] = [];

function given(...names: string[]): void {
  const files = names.map((file) => ({ file, ...declaredIn(sources[file] ?? "") }));
  vi.spyOn(core, "below").mockResolvedValue({ files, compiled });
}

beforeEach(() => {
  vi.resetAllMocks();
  delete kept["jvmdebug.mainClass"];
  remember({
    get: (name: string) => kept[name],
    update: (name: string, value: unknown) => {
      kept[name] = value;
      return Promise.resolve();
    },
  } as unknown as vscode.Memento);
  compiled = [];
  stubDeclared();
  stub.workspace.asRelativePath.mockImplementation((path: string) => path);
  stub.workspace.workspaceFolders = [folder];
});

test("the only main class of a folder is taken without a question", async () => {
  given("/w/C.java", "/w/B.java", "/w/gone.java");
  expect(await mainOfFolder(folder)).toEqual({ className: "B", file: "/w/B.java" });
  expect(stub.window.showQuickPick).not.toHaveBeenCalled();
});

test("of several one is chosen, remembered, and changed by the command", async () => {
  given("/w/B.java", "/w/A.java");
  stub.window.showQuickPick.mockImplementation((items: unknown[]) => Promise.resolve(items[1]));
  expect((await mainOfFolder(folder)) as unknown).toMatchObject({ className: "B" });
  expect((await mainOfFolder(folder)) as unknown).toMatchObject({ className: "B" });
  expect(stub.window.showQuickPick).toHaveBeenCalledOnce();
  expect(await selectMainClass()).toBe("A"); // B, which was chosen, is the first now
  expect((await mainOfFolder(folder)) as unknown).toMatchObject({ className: "A" });
});

test("of two projects' classes of one name the one that was chosen is started, also from a launch.json", async () => {
  sources["/w/one/Main.java"] = sources["/w/two/Main.java"] = "class Main { public static void main(String[] a) {} }";
  given("/w/one/Main.java", "/w/two/Main.java");
  stub.window.showQuickPick.mockImplementation((items: unknown[]) => Promise.resolve(items[1]));
  expect((await mainOfFolder(folder)) as unknown).toMatchObject({ file: "/w/two/Main.java" });
  expect((await mainOfFolder(folder)) as unknown).toMatchObject({ file: "/w/two/Main.java" });
  stub.window.showQuickPick.mockImplementation((items: unknown[]) => Promise.resolve(items[0]));
  const mainClass = await selectMainClass();
  stub.workspace.getConfiguration.mockReturnValue({ get: () => process.execPath });
  const provider = new ConfigurationProvider();
  const given_ = { type: "jvmdebug", request: "launch", name: "Mine", mainClass };
  const resolved = (each: object) =>
    provider.resolveDebugConfigurationWithSubstitutedVariables(folder, { ...given_, ...each });
  expect(await resolved({})).toEqual({ ...given_, program: "/w/two/Main.java" });
  expect(await resolved({})).toEqual(given_); // it was not picked for this one
  await selectMainClass();
  expect(await resolved({ classPaths: ["lib"] })).toEqual({ ...given_, classPaths: ["lib"] });
});

test("classes of class files are offered, but for those that a source has", async () => {
  const made = { className: "gen.Made", file: "/w/target/classes/gen/Made.class", project: "/w" };
  compiled = [made];
  given("/w/C.java");
  expect(await mainOfFolder(folder)).toEqual(made);
  compiled = [{ ...made, className: "B" }];
  given("/w/B.java");
  expect(await mainOfFolder(folder)).toEqual({ className: "B", file: "/w/B.java" });
});

test("the program's own classes come before those of its tests", async () => {
  const main = (name: string) => `class ${name} { public static void main(String[] a) {} }`;
  const own = "/w/core/src/main/java/Z.java";
  sources[own] = main("Z");
  sources["/w/core/src/test/java/A.java"] = main("A");
  sources["/w/core/src/integrationTest/java/B.java"] = main("B");
  sources["/w/core/src/main/java/D.java"] = `${main("D")} class DTest { @Test void one() {} }`;
  compiled = [{ className: "C", file: "/w/core/target/test-classes/C.class", project: "/w/core" }];
  given(...Object.keys(sources).filter((each) => each.startsWith("/w/core")));
  expect((await mainsBelow(folder)).map(({ className }) => className)).toEqual(["Z", "A", "B", "C", "D"]);
  expect(await mainOfFolder(folder)).toEqual({ className: "Z", file: own });
  expect(stub.window.showQuickPick).not.toHaveBeenCalled();
});

test.each([
  ["core/src/testFixtures/java/A.java", true],
  ["test/A.java", true],
  ["build/classes/java/test/A.class", true],
  ["src/main/java/test/A.java", false],
  ["src/shop/test/A.java", false],
  ["src/main/java/latest/A.java", false],
  ["src/contest/A.java", false],
])("what is of tests: %s %s", (file, isIt) => {
  expect(isOfTests("/w/tests", `/w/tests/${file}`)).toBe(isIt);
});

test("a folder without main classes says so", async () => {
  given("/w/C.java");
  expect(await selectMainClass()).toBeUndefined();
  expect(stub.window.showInformationMessage).toHaveBeenCalledWith(expect.stringContaining("No Java or Kotlin source"));
});

function document(text: string): vscode.TextDocument {
  return { uri: { scheme: "file", fsPath: "/w/B.java" }, getText: () => text, languageId: "java" } as unknown as vscode.TextDocument;
}

function setting(value: unknown): void {
  stub.workspace.getConfiguration.mockReturnValue({ get: () => value });
}

test("lenses above main, which say whose they are beside another Java debugger", async () => {
  setting(true);
  const titles = async () =>
    (await new Lenses().provideCodeLenses(document(sources["/w/B.java"] ?? ""))).map((each) => each.command?.title);
  expect(await titles()).toEqual(["Run", "Debug"]);
  stub.extensions.getExtension.mockReturnValue({ isActive: false });
  expect(await titles()).toEqual(["Run (jvmdebug)", "Debug (jvmdebug)"]);
  setting(false);
  expect(await titles()).toEqual([]);
});

test("lenses above tests and their classes", async () => {
  setting(true);
  const text = "class T {\n @Test void one() {}\n}";
  const lenses = await new Lenses().provideCodeLenses(document(text));
  const found = lenses.map(({ command, range }) => ({ ...command, line: range.start.line }));
  expect(found.map(({ line, command }) => `${String(line)} ${command ?? ""}`)).toEqual([
    "0 jvmdebug.runTest", "0 jvmdebug.debugTest", "1 jvmdebug.runTest", "1 jvmdebug.debugTest",
  ]);
  expect(found.at(-1)?.arguments).toEqual([{ className: "T", file: "/w/B.java", method: "one" }]);
});

test.each([
  ["${file}", undefined, true],
  ["${workspaceFolder}/B.java", undefined, true],
  ["B.java", undefined, true],
  ["./x/../B.java", undefined, true],
  ["B.java", "/w", true],
  ["B.java", "/elsewhere", false],
  ["A.java", undefined, false],
  ["${command:Other}", undefined, false],
])("the lens takes the configuration of its file: program %s, cwd %s: %s", (program, cwd, isTaken) => {
  stub.workspace.getWorkspaceFolder.mockReturnValue(folder);
  setting([{ type: "jvmdebug", request: "launch", name: "mine", program, args: "x", ...(cwd === undefined ? {} : { cwd }) }]);
  const found = configurationOf({ className: "B", file: "/w/B.java" });
  expect(found).toMatchObject({ name: isTaken ? "mine" : "B", program: "/w/B.java", mainClass: "B" });
});

test("a lens uses the configuration of launch.json for its class, else one of its own", async () => {
  const own = { type: "jvmdebug", request: "launch", name: "B", mainClass: "B", args: "x" };
  setting([{ ...own, type: "java" }, own]);
  const main = { className: "B", file: "/w/B.java" };
  expect(configurationOf(main)).toBe(own);
  setting([]);
  stub.workspace.openTextDocument.mockResolvedValue({ save: () => Promise.resolve(true) });
  await debugMain(main);
  expect(stub.debug.startDebugging).toHaveBeenCalledWith(
    undefined,
    { type: "jvmdebug", request: "launch", name: "B", program: "/w/B.java", mainClass: "B" },
    { noDebug: false },
  );
});
