// SPDX-License-Identifier: Apache-2.0
// Finds tests in documents while they are edited and, once the Test Explorer has first asked for
// them, in the files of the workspace. The core reads the sources; no compiler and no language
// server is needed.

import * as vscode from "vscode";

import { core } from "../sources/core";
import { isSource } from "../sources/mainClasses";
import type { TestTree } from "./tree";

const QUIET_MS = 300;
const JAVA_AND_KOTLIN = "**/*.{java,kt}";
/** Folders that are not searched; the core does not search them for sources either. */
const EXCLUDED = ["node_modules", "build", "target", "out", "bin", "dist", ".git", ".gradle"];

export class Discovery implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable[];
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private whole: Promise<void> | undefined;

  constructor(private readonly tree: TestTree) {
    this.subscriptions = [
      vscode.workspace.onDidOpenTextDocument((document) => {
        void this.read(document);
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        this.later(document);
      }),
      new vscode.Disposable(() => {
        this.timers.forEach(clearTimeout);
      }),
    ];
    for (const document of vscode.workspace.textDocuments) {
      void this.read(document);
    }
  }

  dispose(): void {
    for (const each of this.subscriptions) {
      each.dispose();
    }
  }

  /** Updates the tests of a document from its current text. */
  async read(document: vscode.TextDocument): Promise<void> {
    if (isSource(document) && document.uri.scheme === "file") {
      const { tests } = await core.declared(document);
      this.tree.update(document.uri, tests); // answers come in the order of questions
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
      for (const { file, tests } of (await core.below(folder.uri.fsPath)).files) {
        gone.delete(file);
        if (!isOpen(file)) {
          this.tree.update(vscode.Uri.file(file), tests);
        }
      }
    }
    for (const file of gone) {
      if (!isOpen(file)) {
        this.tree.update(vscode.Uri.file(file), []);
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
      this.tree.update(file, []);
    });
    this.subscriptions.push(watcher);
    return this.again();
  }

  private async readFile(file: vscode.Uri): Promise<void> {
    if (!isOpen(file.fsPath) && !isExcluded(file)) {
      this.tree.update(file, (await core.declaredIn(file.fsPath)).tests);
    }
  }

  private later(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    clearTimeout(this.timers.get(key));
    const timer = setTimeout(() => {
      this.timers.delete(key);
      void this.read(document);
    }, QUIET_MS);
    this.timers.set(key, timer);
  }
}

/** Whether a file is open in an editor; then the text of the editor counts. */
function isOpen(path: string): boolean {
  return vscode.workspace.textDocuments.some((each) => each.uri.fsPath === path);
}

/** Whether a file is in a folder that is not searched, for example one with build output. */
function isExcluded(file: vscode.Uri): boolean {
  const folder = vscode.workspace.getWorkspaceFolder(file);
  const inside = folder === undefined ? [] : file.path.slice(folder.uri.path.length).split("/");
  return inside.some((each) => EXCLUDED.includes(each));
}
