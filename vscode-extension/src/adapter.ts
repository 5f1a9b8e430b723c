// SPDX-License-Identifier: Apache-2.0
// Starts the debug adapter `jvmdebug dap`, and says what to do when it is not installed.

import { execFile } from "node:child_process";
import { promisify } from "node:util";

import * as vscode from "vscode";

const run = promisify(execFile);
const CHECK_TIMEOUT_MS = 20_000;

/** A command with the arguments that come before those of jvmdebug itself. */
export interface AdapterCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * The commands that may be jvmdebug, best first.
 * A command that the user has set is the only one: if it is wrong, an error is better than another command.
 */
export function candidates(configured: string): readonly AdapterCommand[] {
  if (configured !== "") {
    return [{ command: configured, args: [] }];
  }
  return [
    { command: "jvmdebug", args: [] },
    { command: "python3", args: ["-m", "jvmdebug_cli"] },
  ];
}

/** Whether the command is there and is jvmdebug; the reason when it is not. */
async function check(candidate: AdapterCommand): Promise<string | undefined> {
  try {
    await run(candidate.command, [...candidate.args, "--version"], { timeout: CHECK_TIMEOUT_MS });
    return undefined;
  } catch (error) {
    return reason(error);
  }
}

/** Why a command could not be run, in a few words. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  const { code, stderr } = error as { code?: unknown; stderr?: unknown };
  if (code === "ENOENT") {
    return "no such command";
  }
  const printed = typeof stderr === "string" ? stderr.trim().split("\n").pop() : undefined;
  return printed ?? error.message;
}

export class AdapterFactory implements vscode.DebugAdapterDescriptorFactory {
  async createDebugAdapterDescriptor(
    session: vscode.DebugSession,
  ): Promise<vscode.DebugAdapterDescriptor> {
    const configured = vscode.workspace
      .getConfiguration("jvmdebug", session.workspaceFolder)
      .get<string>("command", "");
    const tried: string[] = [];
    for (const candidate of candidates(configured)) {
      const failure = await check(candidate);
      if (failure === undefined) {
        return new vscode.DebugAdapterExecutable(candidate.command, [...candidate.args, "dap"]);
      }
      tried.push(`${[candidate.command, ...candidate.args].join(" ")} (${failure})`);
    }
    void offerInstallation(configured);
    throw new Error(
      `jvmdebug was not found. Tried: ${tried.join("; ")}. ` +
        `Install it with "pip install jvmdebug", or set "jvmdebug.command" to its path.`,
    );
  }
}

async function offerInstallation(configured: string): Promise<void> {
  const install = "Install in Terminal";
  const settings = "Open Settings";
  const choice = await vscode.window.showErrorMessage(
    configured === ""
      ? "The Java debugger jvmdebug is not installed."
      : `"${configured}" (setting "jvmdebug.command") is not the jvmdebug command.`,
    ...(configured === "" ? [install, settings] : [settings]),
  );
  if (choice === install) {
    const terminal = vscode.window.createTerminal("jvmdebug");
    terminal.show();
    terminal.sendText("python3 -m pip install jvmdebug", false);
  } else if (choice === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "jvmdebug.command");
  }
}
