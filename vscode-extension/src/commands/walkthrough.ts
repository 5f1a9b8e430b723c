// SPDX-License-Identifier: Apache-2.0
// Opens the walkthrough, and offers it once: at the first stop of a program, when there is something to look at.

import * as vscode from "vscode";

const ID = "jvmdebug.jvmdebug#start";
const OFFERED = "walkthrough.offered";
const OPEN = "Open Walkthrough";

/** The command. */
export async function openWalkthrough(): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.openWalkthrough", ID);
}

/** Sees the first stop; `memento` is that of the user, not of a workspace. */
export class FirstStop implements vscode.DebugAdapterTrackerFactory {
  constructor(private readonly memento: vscode.Memento) {}

  createDebugAdapterTracker(): vscode.DebugAdapterTracker | undefined {
    if (this.memento.get<boolean>(OFFERED) === true) {
      return undefined;
    }
    return {
      onDidSendMessage: (message: { type?: string; event?: string }) => {
        if (message.type === "event" && message.event === "stopped") {
          void this.offer();
        }
      },
    };
  }

  private async offer(): Promise<void> {
    // A setting of VS Code for users who want no walkthroughs.
    const isWanted = vscode.workspace.getConfiguration("workbench").get<boolean>("welcomePage.walkthroughs.openOnInstall") !== false;
    if (this.memento.get<boolean>(OFFERED) === true || !isWanted) {
      return;
    }
    await this.memento.update(OFFERED, true);
    const text = "Your program has stopped. A short walkthrough shows what you can do now.";
    if ((await vscode.window.showInformationMessage(text, OPEN)) === OPEN) {
      await openWalkthrough();
    }
  }
}
