// SPDX-License-Identifier: Apache-2.0
// An editor for heap dumps (HPROF): `jvmdebug heap FILE report` reads the file, and its HTML report
// is shown. The report loads nothing, which its content security policy enforces.

import { createHash } from "node:crypto";
import { access, mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";

import * as vscode from "vscode";

import { adapterCommand, isInstalled } from "../adapter";
import { Cancelled, lastLine, run } from "../running";

export const HEAP_REPORT = "jvmdebug.heapReport";
const ESCAPED: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Makes a page with one line of text and without scripts. */
export function textPage(text: string): string {
  const shown = text.replaceAll(/[&<>"]/g, (each) => ESCAPED[each] ?? each);
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'">`;
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">${policy}</head><body><p role="status">${shown}</p></body></html>`;
}

interface HeapDump extends vscode.CustomDocument {
  readonly uri: vscode.Uri;
}

export class HeapReports implements vscode.CustomReadonlyEditorProvider<HeapDump> {
  /** The reports that tabs show. */
  private readonly shown = new Map<vscode.WebviewPanel, string>();

  /** `folder` is where the reports are written. */
  constructor(private readonly folder: vscode.Uri) {}

  openCustomDocument(uri: vscode.Uri): HeapDump {
    return { uri, dispose: () => undefined };
  }

  async resolveCustomEditor({ uri }: HeapDump, panel: vscode.WebviewPanel): Promise<void> {
    const name = basename(uri.fsPath);
    panel.webview.options = { enableScripts: true, localResourceRoots: [] }; // the report's own script
    panel.webview.html = textPage(`Reading ${name} …`);
    try {
      const report = await this.report(uri, panel);
      panel.webview.html = await readFile(report, "utf8");
      this.shown.set(panel, report);
      panel.onDidDispose(() => this.shown.delete(panel));
    } catch (error) {
      if (error instanceof Cancelled) {
        panel.dispose();
        return;
      }
      const why = error instanceof Error ? error.message : String(error);
      panel.webview.html = textPage(`${name} could not be read: ${why.replace(/^jvmdebug: /, "")}`);
    }
  }

  /** The command that opens the report of the active tab in a browser. */
  async openInBrowser(): Promise<void> {
    const found = [...this.shown].find(([panel]) => panel.active);
    if (found !== undefined) {
      await vscode.env.openExternal(vscode.Uri.file(found[1]));
    }
  }

  /** Returns the report of a dump; makes it if there is none for this state of the file. */
  private async report(uri: vscode.Uri, panel: vscode.WebviewPanel): Promise<string> {
    if (uri.scheme !== "file") {
      throw new Error(`heap dumps are read as files of this machine; this one is ${uri.scheme}:`);
    }
    const { mtimeMs, size } = await stat(uri.fsPath);
    const key = createHash("sha256").update([uri.fsPath, mtimeMs, size].join("\n")).digest("hex");
    const path = join(this.folder.fsPath, `heap-${key.slice(0, 16)}.html`);
    const isMade = await access(path).then(
      () => true,
      () => false,
    );
    if (!isMade) {
      await mkdir(this.folder.fsPath, { recursive: true });
      await this.make(uri, path, panel);
    }
    return path;
  }

  private async make(uri: vscode.Uri, path: string, panel: vscode.WebviewPanel): Promise<void> {
    const folder = vscode.workspace.getWorkspaceFolder(uri) ?? vscode.workspace.workspaceFolders?.[0];
    if (!(await isInstalled(folder))) {
      throw new Error("the command jvmdebug is needed for that");
    }
    const command = await adapterCommand(folder);
    const unfinished = `${path}.part.html`;
    const options = {
      location: vscode.ProgressLocation.Notification,
      cancellable: true,
      title: `Reading ${basename(uri.fsPath)}`,
    };
    await vscode.window.withProgress(options, async (progress, token) => {
      const ending = new vscode.CancellationTokenSource();
      const listeners = [
        token.onCancellationRequested(() => {
          ending.cancel();
        }),
        panel.onDidDispose(() => {
          ending.cancel();
        }),
      ];
      const args = ["heap", uri.fsPath, "report", unfinished, "--progress"];
      try {
        await run(command, args, ending.token, (text) => {
          progress.report({ message: lastLine(text) ?? "" });
        });
        await rename(unfinished, path);
      } finally {
        listeners.forEach((each) => {
          each.dispose();
        });
        ending.dispose();
        await rm(unfinished, { force: true });
      }
    });
  }
}
