// SPDX-License-Identifier: Apache-2.0
// Tells why a program was not started or reached: one line, and the output of a build in the
// channel of the extension.

import * as vscode from "vscode";

import { type LackingJdk, tellLackOfJdk } from "../jdks";
import type { Tokens } from "../tokens";

const EVENT = "jvmdebug/notStarted";
const DETAILS = "Show Output";

interface NotStarted {
  readonly message: string;
  readonly isRestart?: boolean;
  readonly jdk?: LackingJdk;
  readonly asksForToken?: boolean;
}

export async function tellNotStarted(
  { event, session, body }: vscode.DebugSessionCustomEvent,
  log: Pick<vscode.OutputChannel, "appendLine" | "show">,
  tokens?: Pick<Tokens, "attachAgain">,
): Promise<void> {
  if (event !== EVENT || session.type !== "jvmdebug") {
    return;
  }
  const { message, isRestart, jdk, asksForToken } = body as NotStarted;
  const [first = "", ...more] = message.trim().split(/\s*\n\s*/);
  const line = first.endsWith(":") ? `${first} ${more.shift() ?? ""}` : first;
  const usual = session.configuration.request === "attach" ? "Not attached" : "Not started";
  const what = isRestart === true ? "Not restarted" : usual;
  log.appendLine(`${what}: ${message}`);
  if (jdk !== undefined) {
    await tellLackOfJdk(session, `${what}: ${line}`, jdk, log);
    return;
  }
  if (asksForToken === true && isRestart !== true && (await tokens?.attachAgain(session)) === true) {
    return;
  }
  const choice = await vscode.window.showErrorMessage(`${what}: ${line}`, ...(more.length > 0 ? [DETAILS] : []));
  if (choice === DETAILS) {
    log.show();
  }
}
