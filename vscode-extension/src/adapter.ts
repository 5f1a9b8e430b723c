// SPDX-License-Identifier: Apache-2.0
// Starts the debug adapter `jvmdebug dap`, and says what to do when it is not installed or does not start.

import { execFile } from "node:child_process";
import { promisify } from "node:util";

import * as vscode from "vscode";

import { type AdapterCommand, locate } from "./locate";

const run = promisify(execFile);
const CHECK_TIMEOUT_MS = 20_000;
const MODULE: AdapterCommand = { command: "python3", args: ["-m", "jvmdebug_cli"] };

/** Why the command does not answer `--version` as jvmdebug does; undefined if it does. */
export async function failure({ command, args }: AdapterCommand): Promise<string | undefined> {
  try {
    const { stdout } = await run(command, [...args, "--version"], { timeout: CHECK_TIMEOUT_MS });
    return /^jvmdebug \d/.test(stdout) ? undefined : "it is another command";
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
  return printed === undefined || printed === "" ? error.message : printed;
}

function shown({ command, args }: AdapterCommand): string {
  return [command, ...args].join(" ");
}

function configuredCommand(session: vscode.DebugSession): string {
  return vscode.workspace
    .getConfiguration("jvmdebug", session.workspaceFolder)
    .get<string>("command", "");
}

export class AdapterFactory implements vscode.DebugAdapterDescriptorFactory {
  /** Whether `python3 -m jvmdebug_cli` works: asked once, since asking starts Python. */
  private moduleFailure: Promise<string | undefined> | undefined;

  async createDebugAdapterDescriptor(
    session: vscode.DebugSession,
  ): Promise<vscode.DebugAdapterDescriptor> {
    const configured = configuredCommand(session);
    const folder = session.workspaceFolder?.uri.fsPath;
    const { found, tried } = await locate(configured, folder);
    if (found !== undefined) {
      return adapter(found);
    }
    const reasons = tried.map((each) => `${each} (no such command)`);
    if (configured === "") {
      this.moduleFailure ??= failure(MODULE);
      const why = await this.moduleFailure;
      if (why === undefined) {
        return adapter(MODULE);
      }
      this.moduleFailure = undefined; // it may be installed meanwhile
      reasons.push(`${shown(MODULE)} (${why})`);
    }
    void offerInstallation(configured);
    throw new Error(
      `jvmdebug was not found. Tried: ${reasons.join("; ")}. ` +
        `Install it with "pip install jvmdebug", or set "jvmdebug.command" to its path.`,
    );
  }
}

function adapter({ command, args }: AdapterCommand): vscode.DebugAdapterExecutable {
  return new vscode.DebugAdapterExecutable(command, [...args, "dap"]);
}

/** Watches for an adapter that ends before its first message, and says why it did. */
export class StartTracker implements vscode.DebugAdapterTracker {
  private hasAnswered = false;
  private hasFailed = false;

  constructor(private readonly session: vscode.DebugSession) {}

  onDidSendMessage(): void {
    this.hasAnswered = true;
  }

  onError(): void {
    this.diagnose();
  }

  onExit(): void {
    this.diagnose();
  }

  private diagnose(): void {
    if (this.hasAnswered || this.hasFailed) {
      return;
    }
    this.hasFailed = true;
    void explainFailure(this.session);
  }
}

export class StartTrackerFactory implements vscode.DebugAdapterTrackerFactory {
  createDebugAdapterTracker(session: vscode.DebugSession): vscode.DebugAdapterTracker {
    return new StartTracker(session);
  }
}

async function explainFailure(session: vscode.DebugSession): Promise<void> {
  const configured = configuredCommand(session);
  const { found } = await locate(configured, session.workspaceFolder?.uri.fsPath);
  const command = found ?? MODULE;
  const why = await failure(command);
  if (why !== undefined) {
    await offerSettings(`The debug adapter did not start: ${shown(command)} (${why}).`);
  }
}

async function offerInstallation(configured: string): Promise<void> {
  if (configured !== "") {
    await offerSettings(`"${configured}" (setting "jvmdebug.command") is not the jvmdebug command.`);
    return;
  }
  const install = "Install in Terminal";
  const choice = await offerSettings("The Java debugger jvmdebug is not installed.", install);
  if (choice === install) {
    const terminal = vscode.window.createTerminal("jvmdebug");
    terminal.show();
    terminal.sendText("python3 -m pip install jvmdebug", false);
  }
}

/** An error with a button for the setting of the command, after those of the caller. */
async function offerSettings(text: string, ...others: string[]): Promise<string | undefined> {
  const settings = "Open Settings";
  const choice = await vscode.window.showErrorMessage(text, ...others, settings);
  if (choice === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "jvmdebug.command");
  }
  return choice;
}
