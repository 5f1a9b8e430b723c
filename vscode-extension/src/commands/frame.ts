// SPDX-License-Identifier: Apache-2.0
// Commands on a stack frame that the Debug Adapter Protocol has no request for.

import * as vscode from "vscode";

/** The selected frame of the active jvmdebug session, or nothing, after telling the user. */
function selectedFrame(): { session: vscode.DebugSession; frameId: number } | undefined {
  const session = vscode.debug.activeDebugSession;
  const item = vscode.debug.activeStackItem;
  if (session?.type !== "jvmdebug" || !(item instanceof vscode.DebugStackFrame)) {
    void vscode.window.showErrorMessage("Select a stack frame of a stopped thread first.");
    return undefined;
  }
  return { session, frameId: item.frameId };
}

async function request(command: string, extra: Record<string, unknown> = {}): Promise<void> {
  const selected = selectedFrame();
  if (selected === undefined) {
    return;
  }
  try {
    await selected.session.customRequest(command, { frameId: selected.frameId, ...extra });
  } catch (error) {
    void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
  }
}

/** Drops the frame; the call is about to be made again. */
export function popFrame(): Promise<void> {
  return request("jvmdebug/popFrame");
}

/** Makes the method return at once, with the value of an expression. */
export async function forceEarlyReturn(): Promise<void> {
  if (selectedFrame() === undefined) {
    return;
  }
  const expression = await vscode.window.showInputBox({
    title: "Force Return",
    prompt: "Java expression for the value to return; leave it empty for a void method.",
  });
  if (expression === undefined) {
    return;
  }
  await request(
    "jvmdebug/forceEarlyReturn",
    expression.trim() === "" ? {} : { expression },
  );
}
