// SPDX-License-Identifier: Apache-2.0
// Functions that commands on the active debug session share.

import * as vscode from "vscode";

/** The jvmdebug sessions that have begun and not ended, by their ids. */
export const openSessions = new Map<string, vscode.DebugSession>();

/** What VS Code hands to a command of the menu of a row in the Call Stack view. */
export interface CallStackRow {
  readonly sessionId?: string;
}

/** Returns the active jvmdebug session; if there is none, tells the user and returns nothing. */
export function activeSession(): vscode.DebugSession | undefined {
  const session = vscode.debug.activeDebugSession;
  if (session?.type === "jvmdebug") {
    return session;
  }
  void vscode.window.showErrorMessage("Start debugging a Java program with jvmdebug first.");
  return undefined;
}

export function showError(error: unknown): void {
  void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
}
