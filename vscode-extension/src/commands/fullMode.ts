// SPDX-License-Identifier: Apache-2.0
// Restarts the program in the agent's full mode, when the user has requested something that the
// fast mode cannot do.

import * as vscode from "vscode";

import { activeSession, showError } from "./session";

const EVENT = "jvmdebug/fullModeNeeded";
const RESTART = "Restart in Full Mode";

async function restart(session: vscode.DebugSession): Promise<void> {
  try {
    await session.customRequest("restart", { arguments: { ...session.configuration, mode: "full" } });
  } catch (error) {
    showError(error);
  }
}

/** The command: restarts the active session. */
export async function restartInFullMode(): Promise<void> {
  const session = activeSession();
  if (session === undefined) {
    return;
  }
  if (session.configuration.request !== "launch") {
    showError('Only a program that was launched can be restarted: start this one with "mode=full" in its agent option.');
    return;
  }
  await restart(session);
}

/** Offers the restart when the adapter says that the full mode is needed. */
export async function offerFullMode(event: vscode.DebugSessionCustomEvent): Promise<void> {
  if (event.event !== EVENT || event.session.type !== "jvmdebug") {
    return;
  }
  const { message } = event.body as { message: string };
  const choice = await vscode.window.showInformationMessage(message, RESTART);
  if (choice === RESTART) {
    await restart(event.session);
  }
}
