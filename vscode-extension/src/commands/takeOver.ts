// SPDX-License-Identifier: Apache-2.0
// Configurations of the Java debugger by Microsoft (`"type": "java"`) become ours: only their type changes in the text of
// launch.json, so that comments stay and one undo brings them back.

import * as vscode from "vscode";

const TYPE = /("type"\s*:\s*)"java"/g;
const COMMENT_OR_TYPE = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"type"\s*:\s*"java"/g;

/** Where the types are in the text of a launch.json, and how long each is; those in comments are left alone. */
export function javaTypes(text: string): { offset: number; length: number; replacement: string }[] {
  return [...text.matchAll(COMMENT_OR_TYPE)]
    .filter((each) => each[0].startsWith('"'))
    .map((each) => ({
      offset: each.index,
      length: each[0].length,
      replacement: each[0].replace(TYPE, '$1"jvmdebug"'),
    }));
}

export async function takeOver(): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const changed: vscode.TextDocument[] = [];
  let count = 0;
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    const file = vscode.Uri.joinPath(folder.uri, ".vscode", "launch.json");
    const document = await vscode.workspace.openTextDocument(file).then(
      (opened) => opened,
      () => undefined,
    );
    const found = document === undefined ? [] : javaTypes(document.getText());
    if (document === undefined || found.length === 0) {
      continue;
    }
    for (const { offset, length, replacement } of found) {
      const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
      edit.replace(file, range, replacement);
    }
    changed.push(document);
    count += found.length;
  }
  if (count === 0) {
    void vscode.window.showInformationMessage('No launch.json of this workspace has a configuration of type "java".');
    return;
  }
  await vscode.workspace.applyEdit(edit);
  for (const document of changed) {
    await document.save();
    await vscode.window.showTextDocument(document);
  }
  const what = count === 1 ? "1 configuration" : `${String(count)} configurations`;
  void vscode.window.showInformationMessage(
    `${what} of launch.json now start jvmdebug; Undo in launch.json brings the old type back.`,
  );
}
