// SPDX-License-Identifier: Apache-2.0
// Starts the debug adapter `jvmdebug dap`, offers to install it, and reports why it does not start.

import { execFile } from "node:child_process";
import { chmod } from "node:fs/promises";
import { promisify } from "node:util";

import * as vscode from "vscode";

import type { PrivateEnvironment } from "./install";
import { jdkEnvironment } from "./jdks";
import { locate } from "./locate";
import { openSetting, setting } from "./settings";
import { HERE, type System, whyUnsupported } from "./system";
import type { Tokens } from "./tokens";

const run = promisify(execFile);
const CHECK_TIMEOUT_MS = 20_000;
const INSTALL = "Install";

let own: PrivateEnvironment | undefined;
let brought: string | undefined;

/**
 * The environment that is installed with one click, and the command that the extension itself
 * contains, whether it does or not; set when the extension is activated.
 */
export function useEnvironment(environment: PrivateEnvironment | undefined, carried?: string): void {
  own = environment;
  brought = carried;
}

/** Returns the last places: the command of the extension, which fits to it, before an older one. */
async function lastResorts(): Promise<string[]> {
  if (brought !== undefined) {
    // Not every tool that unpacks a .vsix keeps the permission.
    await chmod(brought, 0o755).catch(() => undefined);
  }
  return [brought, own?.command].filter((each) => each !== undefined);
}

/** Returns why the command does not answer `--version` like jvmdebug; undefined if it does. */
export async function failure(command: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(command, ["--version"], { timeout: CHECK_TIMEOUT_MS });
    return /^jvmdebug \d/.test(stdout) ? undefined : "it is another command";
  } catch (error) {
    return reason(error);
  }
}

/** Describes why a command could not be run, in a few words. */
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

function configuredCommand(folder: vscode.WorkspaceFolder | undefined): string {
  return vscode.workspace.getConfiguration("jvmdebug", folder).get<string>("command", "");
}

/** Returns the `jvmdebug` command for a folder. Rejects with the places where it was looked for. */
export async function adapterCommand(
  folder: vscode.WorkspaceFolder | undefined,
  system: System = HERE,
): Promise<string> {
  const { found, tried } = await locate(configuredCommand(folder), folder?.uri.fsPath, await lastResorts());
  if (found !== undefined) {
    return found;
  }
  throw new Error(
    whyUnsupported(system) ??
      `jvmdebug was not found. Tried: ${tried.join(", ")}. ` +
        `Install it with "pip install jvmdebug", or set "jvmdebug.command" to its path.`,
  );
}

/**
 * Whether there is a command for a folder. If not, offers to install it, and tells the user when it
 * is installed.
 */
export async function isInstalled(
  folder: vscode.WorkspaceFolder | undefined,
  system: System = HERE,
): Promise<boolean> {
  const configured = configuredCommand(folder);
  const { found } = await locate(configured, folder?.uri.fsPath, await lastResorts());
  if (found !== undefined) {
    return true;
  }
  if (configured !== "") {
    await offerSettings(`"${configured}" (setting "jvmdebug.command") is not the jvmdebug command.`);
    return false;
  }
  const unsupported = whyUnsupported(system);
  if (unsupported !== undefined) {
    await offerSettings(unsupported);
    return false;
  }
  const choice = await offerSettings("The Java debugger jvmdebug is not installed.", INSTALL);
  return choice === INSTALL && (await own?.install()) === true;
}

/** The command that installs or reinstalls jvmdebug. */
export async function install(): Promise<void> {
  if ((await own?.install()) === true) {
    void vscode.window.showInformationMessage("The Java debugger jvmdebug is installed.");
  }
}

/** The environment variables that the adapter gets beside those of VS Code: settings that it needs before a configuration. */
function environmentOfAdapter(folder: vscode.WorkspaceFolder | undefined): Record<string, string> {
  const stops = setting<unknown>("exceptions", undefined, folder);
  return {
    ...jdkEnvironment(folder),
    ...(Array.isArray(stops) ? { JVMDEBUG_EXCEPTIONS: stops.join(",") } : {}),
  };
}

export class AdapterFactory implements vscode.DebugAdapterDescriptorFactory {
  constructor(private readonly tokens?: Pick<Tokens, "environment">) {}

  async createDebugAdapterDescriptor(session: vscode.DebugSession): Promise<vscode.DebugAdapterDescriptor> {
    const folder = session.workspaceFolder;
    const env = { ...environmentOfAdapter(folder), ...(await this.tokens?.environment(session)) };
    return new vscode.DebugAdapterExecutable(await adapterCommand(folder), ["dap"], { env });
  }
}

/** Detects an adapter that ends before its first message, and reports why. */
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
  const command = await adapterCommand(session.workspaceFolder).catch(() => undefined);
  const why = command === undefined ? undefined : await failure(command);
  if (command !== undefined && why !== undefined) {
    await offerSettings(`The debug adapter did not start: ${command} (${why}).`);
  }
}

/** Shows an error with a button for the setting of the command, after the buttons of the caller. */
async function offerSettings(text: string, ...others: string[]): Promise<string | undefined> {
  const settings = "Open Settings";
  const choice = await vscode.window.showErrorMessage(text, ...others, settings);
  if (choice === settings) {
    await openSetting("jvmdebug.command", true);
  }
  return choice;
}
