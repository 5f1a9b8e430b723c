// SPDX-License-Identifier: Apache-2.0
// "Run | Debug" above each main method. Other Java extensions have the same: then ours say whose they are.

import * as vscode from "vscode";

import { fileConfiguration } from "./configuration";
import { type MainClass, mainsOf } from "./sources/mainClasses";

const OTHERS = ["vscjava.vscode-java-debug", "oracle.oracle-java"];

/** What the setting `jvmdebug.codeLens` says. */
function areShown(document: vscode.TextDocument): boolean {
  return vscode.workspace.getConfiguration("jvmdebug", document).get<boolean>("codeLens", true);
}

export class MainLenses implements vscode.CodeLensProvider {
  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (document.uri.scheme !== "file" || !areShown(document)) {
      return [];
    }
    const isAlone = OTHERS.every((each) => vscode.extensions.getExtension(each) === undefined);
    const suffix = isAlone ? "" : " (jvmdebug)";
    return mainsOf(document).flatMap(({ className, line }) => {
      const range = new vscode.Range(line, 0, line, 0);
      const main: MainClass = { className, file: document.uri.fsPath };
      return [
        new vscode.CodeLens(range, { title: `Run${suffix}`, command: "jvmdebug.runMain", arguments: [main] }),
        new vscode.CodeLens(range, { title: `Debug${suffix}`, command: "jvmdebug.debugMain", arguments: [main] }),
      ];
    });
  }
}

/** The configuration of launch.json that names this class, with the user's arguments; else one of its own. */
export function configurationOf(main: MainClass): vscode.DebugConfiguration {
  const uri = vscode.Uri.file(main.file);
  const launch = vscode.workspace.getConfiguration("launch", uri);
  const configured = launch.get<vscode.DebugConfiguration[]>("configurations", []);
  const own = configured.find(
    (each) => each.type === "jvmdebug" && each.request === "launch" && each["mainClass"] === main.className,
  );
  return own ?? fileConfiguration(main.file, main.className);
}

async function start(main: MainClass, noDebug: boolean): Promise<void> {
  const uri = vscode.Uri.file(main.file);
  await vscode.workspace.openTextDocument(uri).then((document) => document.save());
  await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(uri), configurationOf(main), { noDebug });
}

export function runMain(main: MainClass): Promise<void> {
  return start(main, true);
}

export function debugMain(main: MainClass): Promise<void> {
  return start(main, false);
}
