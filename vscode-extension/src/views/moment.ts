// SPDX-License-Identifier: Apache-2.0
// Tells VS Code whether a program is being debugged, so that views and commands which need one are
// hidden without it.

import * as vscode from "vscode";

import { openSessions } from "../commands/session";

/** True while a session of jvmdebug debugs a program; one that only runs it does not count. */
const DEBUGGING = "jvmdebug.debugging";

export function followSessions(): vscode.Disposable[] {
  const open = new Set<string>();
  const tell = (): void => {
    void vscode.commands.executeCommand("setContext", DEBUGGING, open.size > 0);
  };
  return [
    vscode.debug.onDidStartDebugSession((session) => {
      if (session.type === "jvmdebug") {
        openSessions.set(session.id, session);
      }
      if (session.type === "jvmdebug" && session.configuration["noDebug"] !== true) {
        open.add(session.id);
        tell();
      }
    }),
    vscode.debug.onDidTerminateDebugSession((session) => {
      openSessions.delete(session.id);
      if (open.delete(session.id)) {
        tell();
      }
    }),
  ];
}
