// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { jdkEnvironment, tellLackOfJdk } from "../src/jdks";
import * as stub from "./vscode";

const log = { appendLine: vi.fn(), show: vi.fn() };
const session = { configuration: { type: "jvmdebug", request: "launch", name: "Shop" }, workspaceFolder: undefined };
let folder = "";

beforeEach(() => {
  vi.resetAllMocks();
  folder = mkdtempSync(join(tmpdir(), "jvmdebug-"));
  stub.written.length = 0;
});

afterEach(() => {
  rmSync(folder, { recursive: true });
  for (const name of Object.keys(stub.settings)) {
    Reflect.deleteProperty(stub.settings, name);
  }
  stub.env.remoteName = undefined;
});

/** A folder that looks like that of a JDK. */
function jdk(name: string): string {
  const home = join(folder, name);
  mkdirSync(join(home, "bin"), { recursive: true });
  writeFileSync(join(home, "bin", "java"), "");
  return home;
}

test("without settings the core decides alone", () => {
  expect(jdkEnvironment(undefined)).toEqual({});
});

test("our own settings, and runtimes of the other extensions for Java that are here", () => {
  const [old, recent] = [jdk("17"), jdk("25")];
  stub.settings["jvmdebug.jdks"] = ["~/jdks", 3, ""];
  stub.settings["java.configuration.runtimes"] = [
    { name: "JavaSE-17", path: old },
    { name: "JavaSE-25", path: recent, default: true },
    { name: "JavaSE-21", path: join(folder, "of another machine"), default: true },
    null,
  ];
  const jdks = `${homedir()}/jdks:${old}:${recent}`;
  expect(jdkEnvironment(undefined)).toEqual({ JVMDEBUG_JAVA_HOME: recent, JVMDEBUG_JDKS: jdks });
  stub.settings["jvmdebug.javaHome"] = "/mine";
  expect(jdkEnvironment(undefined)).toEqual({ JVMDEBUG_JAVA_HOME: "/mine", JVMDEBUG_JDKS: jdks });
});

test("the folder that is chosen becomes the setting, and the program is started with it", async () => {
  const home = jdk("21");
  stub.window.showErrorMessage.mockResolvedValue("Choose Folder…");
  stub.window.showOpenDialog.mockResolvedValue([{ fsPath: join(home, "bin") }]);
  await tellLackOfJdk(session, "Not started: no Java runtime found", { tried: ["PATH: no java"] }, log);
  expect(stub.window.showErrorMessage.mock.calls).toEqual([
    ["Not started: no Java runtime found", "Choose Folder…", "Open Setting", "What Was Tried"],
  ]);
  expect(stub.written).toEqual([["jvmdebug.javaHome", home, stub.ConfigurationTarget.Global]]);
  expect(stub.debug.startDebugging).toHaveBeenCalledWith(undefined, session.configuration);
});

test("a newer one that a project needs comes beside those that are used", async () => {
  const home = jdk("21");
  stub.settings["jvmdebug.jdks"] = ["/jdks"];
  stub.window.showErrorMessage.mockResolvedValue("Choose Folder…");
  stub.window.showOpenDialog.mockResolvedValue([{ fsPath: home }]);
  await tellLackOfJdk(session, "shop needs Java 21", { tried: [], wanted: 21 }, log);
  expect(stub.window.showOpenDialog).toHaveBeenCalledWith(expect.objectContaining({ title: "Folder of a JDK of Java 21 or newer" }));
  expect(stub.written).toEqual([["jvmdebug.jdks", ["/jdks", home], stub.ConfigurationTarget.Workspace]]);
});

test("another folder is refused, and nothing is started", async () => {
  stub.window.showErrorMessage.mockResolvedValueOnce("Choose Folder…");
  stub.window.showOpenDialog.mockResolvedValue([{ fsPath: folder }]);
  await tellLackOfJdk(session, "none", { tried: [] }, log);
  expect(stub.window.showErrorMessage).toHaveBeenLastCalledWith(`${folder} is not the folder of a JDK: it has no bin/java.`);
  expect(stub.written).toEqual([]);
  expect(stub.debug.startDebugging).not.toHaveBeenCalled();
});

test("what was tried is in the log", async () => {
  stub.window.showErrorMessage.mockResolvedValue("What Was Tried");
  await tellLackOfJdk(session, "none", { tried: ["PATH: no java", "SDKMAN: no such folder"] }, log);
  expect(log.appendLine.mock.calls).toEqual([["  PATH: no java"], ["  SDKMAN: no such folder"]]);
  expect(log.show).toHaveBeenCalledOnce();
});

test.each([
  [undefined, "workbench.action.openSettings"],
  ["ssh-remote", "workbench.action.openRemoteSettings"],
])("the setting is shown in the tab that has it, remote: %s", async (remote, command) => {
  stub.env.remoteName = remote;
  stub.window.showErrorMessage.mockResolvedValue("Open Setting");
  await tellLackOfJdk(session, "none", { tried: [] }, log);
  expect(stub.commands.executeCommand.mock.calls).toEqual([[command, { query: "@id:jvmdebug.javaHome" }]]);
});
