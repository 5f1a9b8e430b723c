// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { debugFile, runFile } from "../src/commands/file";
import { stubDeclared } from "./declared";
import * as stub from "./vscode";

beforeEach(() => {
  vi.clearAllMocks();
  stubDeclared();
});

function open(fsPath: string, text: string): vscode.Uri {
  const uri = { fsPath, scheme: "file" };
  stub.workspace.openTextDocument.mockResolvedValueOnce({ uri, languageId: "java", isUntitled: false, getText: () => text });
  return uri as vscode.Uri;
}

test("a file is started by its main class", async () => {
  await debugFile(open("/w/Main.java", "class Main { public static void main(String[] args) {} }"));
  const configuration = expect.objectContaining({ program: "/w/Main.java" }) as unknown;
  expect(stub.debug.startDebugging).toHaveBeenLastCalledWith(undefined, configuration, { noDebug: false });
});

test("a file of tests without main runs its tests", async () => {
  await runFile(open("/w/CartTest.java", "class CartTest {\n  @Test void adds() {}\n}"));
  const target = { file: "/w/CartTest.java", className: "CartTest" };
  expect(stub.commands.executeCommand).toHaveBeenLastCalledWith("jvmdebug.runTest", target);
  expect(stub.debug.startDebugging).not.toHaveBeenCalled();
});
