// SPDX-License-Identifier: Apache-2.0
// Takes a heap dump of the debugged program and shows its report in an editor tab.

import { homedir } from "node:os";
import { dirname, join } from "node:path";

import * as vscode from "vscode";

import { HEAP_REPORT } from "../views/heapReport";
import { activeSession, showError } from "./session";

let lastFolder: string | undefined;

/** Makes the name of a file for the dump of a session. */
export function dumpName(session: string): string {
  const name = session.replaceAll(/[^\p{L}\p{N}.-]+/gu, "-").replaceAll(/^[-.]+|[-.]+$/g, "");
  return `${name === "" ? "heap" : name}.hprof`;
}

/** The command. The adapter shows the progress, with Cancel. */
export async function heapDump(): Promise<void> {
  const session = activeSession();
  if (session === undefined) {
    return;
  }
  // Not the project: a dump is large, and has whatever the program knows.
  const folder = lastFolder ?? homedir();
  const file = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.file(join(folder, dumpName(session.name))),
    filters: { "Heap dumps": ["hprof"] },
    saveLabel: "Write Heap Dump",
    title: "Heap Dump",
  });
  if (file === undefined) {
    return;
  }
  lastFolder = dirname(file.fsPath);
  try {
    await session.customRequest("jvmdebug/heapDump", { path: file.fsPath });
    await vscode.commands.executeCommand("vscode.openWith", file, HEAP_REPORT);
  } catch (error) {
    if (!(error instanceof Error && /cancell?ed/i.test(error.message))) {
      showError(error);
    }
  }
}
