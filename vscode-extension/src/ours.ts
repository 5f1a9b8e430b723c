// SPDX-License-Identifier: Apache-2.0
// Tells whose debug session has the focus, because VS Code asks all extensions for hovers and
// inline values of a language.

import * as vscode from "vscode";

/** Whether the focused session is of our adapter; another debugger shows its own values. */
export function isOurs(): boolean {
  return vscode.debug.activeDebugSession?.type === "jvmdebug";
}
