// SPDX-License-Identifier: Apache-2.0
// Where tests are found: in documents as they are typed, in the files of the workspace from when the Test Explorer first
// asks for them. No compiler, no language server, no process.

import * as vscode from "vscode";

import { EXCLUDED, isSource, JAVA_AND_KOTLIN, readSources } from "../sources/mainClasses";
import type { TestTree } from "./tree";

const QUIET_MS = 300;

export class Discovery implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable[];
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private whole: Promise<void> | undefined;

  constructor(private readonly tree: TestTree) {
    this.subscriptions = [
      vscode.workspace.onDidOpenTextDocument((document) => {
        this.read(document);
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        this.later(document);
      }),
      new vscode.Disposable(() => {
        this.timers.forEach(clearTimeout);
      }),
    ];
    for (const document of vscode.workspace.textDocuments) {
      this.read(document);
    }
  }

  dispose(): void {
    for (const each of this.subscriptions) {
      each.dispose();
    }
  }

  /** The tests of a document are those of its text now. */
  read(document: vscode.TextDocument): void {
    if (isSource(document) && document.uri.scheme === "file") {
      this.tree.update(document.uri, document.getText());
    }
  }

  /** Reads all sources of the workspace, once, and follows their changes from then on. */
  all(): Promise<void> {
    this.whole ??= this.follow();
    return this.whole;
  }

  /** Reads all sources again. */
  async again(): Promise<void> {
    const gone = new Set(this.tree.knownFiles());
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      for (const { file, text } of await readSources(folder)) {
        gone.delete(file.fsPath);
        if (!vscode.workspace.textDocuments.some((each) => each.uri.fsPath === file.fsPath)) {
          this.tree.update(file, text);
        }
      }
    }
    for (const file of gone) {
      if (!vscode.workspace.textDocuments.some((each) => each.uri.fsPath === file)) {
        this.tree.update(vscode.Uri.file(file), "");
      }
    }
  }

  private follow(): Promise<void> {
    const watcher = vscode.workspace.createFileSystemWatcher(JAVA_AND_KOTLIN);
    const changed = (file: vscode.Uri): void => {
      void this.readFile(file);
    };
    watcher.onDidCreate(changed);
    watcher.onDidChange(changed);
    watcher.onDidDelete((file) => {
      this.tree.update(file, "");
    });
    this.subscriptions.push(watcher);
    return this.again();
  }

  private async readFile(file: vscode.Uri): Promise<void> {
    if (vscode.workspace.textDocuments.some((each) => each.uri.fsPath === file.fsPath) || isExcluded(file)) {
      return;
    }
    const read = vscode.workspace.fs.readFile(file);
    const text = await read.then(
      (bytes) => new TextDecoder().decode(bytes),
      () => "", // gone meanwhile
    );
    this.tree.update(file, text);
  }

  private later(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    clearTimeout(this.timers.get(key));
    const timer = setTimeout(() => {
      this.timers.delete(key);
      this.read(document);
    }, QUIET_MS);
    this.timers.set(key, timer);
  }
}

/** Whether a file is in a folder that is not searched either, of what a build makes for example. */
function isExcluded(file: vscode.Uri): boolean {
  const folder = vscode.workspace.getWorkspaceFolder(file);
  const names = /\{(.*)\}/.exec(EXCLUDED)?.[1]?.split(",") ?? [];
  const inside = folder === undefined ? [] : file.path.slice(folder.uri.path.length).split("/");
  return inside.some((each) => names.includes(each));
}
