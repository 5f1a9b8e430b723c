// SPDX-License-Identifier: Apache-2.0
// "Debug Java File" and "Run Java File" of the editor's title bar: its main class, else its tests.

import * as vscode from "vscode";

import { fileConfiguration } from "../configuration";
import { isSource, mainsOf } from "../sources/mainClasses";
import { testAt } from "../testing/explorer";

async function start(resource: vscode.Uri | undefined, noDebug: boolean): Promise<void> {
  const uri = resource ?? vscode.window.activeTextEditor?.document.uri;
  if (uri?.scheme !== "file") {
    void vscode.window.showErrorMessage("Open a .java or .kt file that is saved on disk first.");
    return;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const tests = isSource(document) && (await mainsOf(document)).length === 0 ? await testAt(document, 0) : undefined;
  if (tests !== undefined) {
    await vscode.commands.executeCommand(noDebug ? "jvmdebug.runTest" : "jvmdebug.debugTest", tests);
    return;
  }
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  await vscode.debug.startDebugging(folder, fileConfiguration(uri.fsPath), { noDebug });
}

export function debugFile(resource?: vscode.Uri): Promise<void> {
  return start(resource, false);
}

export function runFile(resource?: vscode.Uri): Promise<void> {
  return start(resource, true);
}
