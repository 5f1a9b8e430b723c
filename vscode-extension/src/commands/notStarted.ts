// SPDX-License-Identifier: Apache-2.0
// Tells why a program was not started or reached: one line, and the output of a build in the
// channel of the extension.

import * as vscode from "vscode";

import { type LackingJdk, tellLackOfJdk } from "../jdks";

const EVENT = "jvmdebug/notStarted";
const DETAILS = "Show Output";

export async function tellNotStarted(
  { event, session, body }: vscode.DebugSessionCustomEvent,
  log: Pick<vscode.OutputChannel, "appendLine" | "show">,
): Promise<void> {
  if (event !== EVENT || session.type !== "jvmdebug") {
    return;
  }
  const { message, isRestart, jdk } = body as { message: string; isRestart?: boolean; jdk?: LackingJdk };
  const [first = "", ...more] = message.trim().split(/\s*\n\s*/);
  const line = first.endsWith(":") ? `${first} ${more.shift() ?? ""}` : first;
  const usual = session.configuration.request === "attach" ? "Not attached" : "Not started";
  const what = isRestart === true ? "Not restarted" : usual;
  log.appendLine(`${what}: ${message}`);
  if (jdk !== undefined) {
    await tellLackOfJdk(session, `${what}: ${line}`, jdk, log);
    return;
  }
  const choice = await vscode.window.showErrorMessage(`${what}: ${line}`, ...(more.length > 0 ? [DETAILS] : []));
  if (choice === DETAILS) {
    log.show();
  }
}
