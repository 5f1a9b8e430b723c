// SPDX-License-Identifier: Apache-2.0
// Whose debug session is looked at: VS Code asks all extensions for hovers and inline values of a language.

import * as vscode from "vscode";

/** Whether the focused session is of our adapter; another debugger brings what is shown of its own. */
export function isOurs(): boolean {
  return vscode.debug.activeDebugSession?.type === "jvmdebug";
}
