// SPDX-License-Identifier: Apache-2.0
// How the Variables view formats values; can be changed while the program is stopped.

import * as vscode from "vscode";

import { activeSession, showError } from "./session";

const inHex = new Set<string>();

/** Integers in hexadecimal, or in decimal again. */
export async function toggleHex(): Promise<void> {
  const session = activeSession();
  if (session === undefined) {
    return;
  }
  const hex = !inHex.has(session.id);
  try {
    await session.customRequest("jvmdebug/valueStyle", { hex });
  } catch (error) {
    showError(error);
    return;
  }
  if (hex) {
    inHex.add(session.id);
  } else {
    inHex.delete(session.id);
  }
  vscode.window.setStatusBarMessage(`jvmdebug: integers in ${hex ? "hex" : "decimal"}`, 3000);
}
