// SPDX-License-Identifier: Apache-2.0
// Converts configurations of the Java debugger by Microsoft (`"type": "java"`) to ours: only their
// type changes in the text of launch.json, so that comments stay and one undo reverts it.

import * as vscode from "vscode";

const TYPE = /("type"\s*:\s*)"java"/g;
const COMMENT_OR_TYPE = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"type"\s*:\s*"java"/g;

/** Finds the types in the text of a launch.json, with their lengths; ignores those in comments. */
export function javaTypes(text: string): { offset: number; length: number; replacement: string }[] {
  return [...text.matchAll(COMMENT_OR_TYPE)]
    .filter((each) => each[0].startsWith('"'))
    .map((each) => ({
      offset: each.index,
      length: each[0].length,
      replacement: each[0].replace(TYPE, '$1"jvmdebug"'),
    }));
}

const MICROSOFTS = "vscjava.vscode-java-debug";
const OFFERED = "jvmdebug.offeredTakeOver";
const TAKE_OVER = "Use jvmdebug";

/**
 * Finds each launch.json of the workspace that has configurations of type "java", with their
 * positions.
 */
async function found(): Promise<{ document: vscode.TextDocument; types: ReturnType<typeof javaTypes> }[]> {
  const all = [];
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    const file = vscode.Uri.joinPath(folder.uri, ".vscode", "launch.json");
    const document = await vscode.workspace.openTextDocument(file).then(
      (opened) => opened,
      () => undefined,
    );
    const types = document === undefined ? [] : javaTypes(document.getText());
    if (document !== undefined && types.length > 0) {
      all.push({ document, types });
    }
  }
  return all;
}

/**
 * Offers the conversion once, if there are such configurations and no extension that could start
 * them.
 */
export async function offerTakeOver(memory: vscode.Memento): Promise<void> {
  if (vscode.extensions.getExtension(MICROSOFTS) !== undefined || memory.get<boolean>(OFFERED) === true) {
    return;
  }
  if ((await found()).length === 0) {
    return;
  }
  await memory.update(OFFERED, true);
  const text = 'launch.json has configurations of type "java", and the Java debugger by Microsoft is not installed.';
  if ((await vscode.window.showInformationMessage(text, TAKE_OVER)) === TAKE_OVER) {
    await takeOver();
  }
}

export async function takeOver(): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const all = await found();
  const count = all.reduce((sum, each) => sum + each.types.length, 0);
  for (const { document, types } of all) {
    for (const { offset, length, replacement } of types) {
      const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
      edit.replace(document.uri, range, replacement);
    }
  }
  if (count === 0) {
    void vscode.window.showInformationMessage('No launch.json of this workspace has a configuration of type "java".');
    return;
  }
  await vscode.workspace.applyEdit(edit);
  for (const { document } of all) {
    await document.save();
    await vscode.window.showTextDocument(document);
  }
  const what = count === 1 ? "1 configuration of launch.json starts" : `${String(count)} configurations of launch.json start`;
  void vscode.window.showInformationMessage(`${what} jvmdebug now; Undo in launch.json brings the old type back.`);
}
