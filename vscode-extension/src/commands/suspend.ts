// SPDX-License-Identifier: Apache-2.0
// Chooses which threads a stop suspends: all of them, or only its own, so that a server goes on
// with other requests.

import * as vscode from "vscode";

import { activeSession, showError } from "./session";

const ownOnly = new Map<string, boolean>();

/**
 * Whether stops of the session suspend only their own thread; the configuration has the initial
 * value.
 */
function isOwnOnly(session: vscode.DebugSession): boolean {
  return ownOnly.get(session.id) ?? session.configuration["suspend"] === "thread";
}

/** Toggles whether stops suspend only their own thread or all threads. */
export async function toggleSuspend(): Promise<void> {
  const session = activeSession();
  if (session === undefined) {
    return;
  }
  const own = !isOwnOnly(session);
  try {
    await session.customRequest("jvmdebug/suspend", { suspend: own ? "thread" : "all" });
  } catch (error) {
    showError(error);
    return;
  }
  ownOnly.set(session.id, own);
  const threads = own ? "only the thread that stops" : "all threads";
  vscode.window.setStatusBarMessage(`jvmdebug: breakpoints suspend ${threads}`, 5000);
}
