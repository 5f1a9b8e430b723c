// SPDX-License-Identifier: Apache-2.0
// Which threads a stop suspends: all of them, or its own only, so that the other requests of a server go on.

import * as vscode from "vscode";

import { activeSession, showError } from "./session";

const ownOnly = new Map<string, boolean>();

/** Whether stops of the session suspend their own thread only; the configuration says it at first. */
function isOwnOnly(session: vscode.DebugSession): boolean {
  return ownOnly.get(session.id) ?? session.configuration["suspend"] === "thread";
}

/** Stops suspend only their own thread, or all threads again. */
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
