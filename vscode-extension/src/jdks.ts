// SPDX-License-Identifier: Apache-2.0
// The Java runtimes that the settings name, for the core, which decides what is used; and what is offered where it finds none.

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

import * as vscode from "vscode";

import { openSetting, setting, writeSetting } from "./settings";

const JAVA_HOME = "JVMDEBUG_JAVA_HOME";
const JDKS = "JVMDEBUG_JDKS";
const CHOOSE = "Choose Folder…";
const OPEN = "Open Setting";
const TRIED = "What Was Tried";

/** An entry of `java.configuration.runtimes`, a setting of other extensions for Java. */
interface Runtime {
  readonly path?: unknown;
  readonly default?: unknown;
}

/** What there is of Java, from the core; see `jvmdebug/notStarted`. */
export interface LackingJdk {
  readonly tried: readonly string[];
  /** The oldest release that would do. */
  readonly wanted?: number;
}

/**
 * Returns the environment variables by which the core knows the runtimes of the settings:
 * `jvmdebug.javaHome`, else the default one of `java.configuration.runtimes`; and all others of them.
 */
export function jdkEnvironment(folder: vscode.WorkspaceFolder | undefined): Record<string, string> {
  const runtimes = runtimesOfJava(folder);
  const chosen = runtimes.find((each) => each.isDefault)?.path;
  const home = expanded(text(setting("javaHome", "", folder)), folder) || chosen;
  const named = list(setting("jdks", [], folder)).map((each) => expanded(each, folder));
  const jdks = [...named, ...runtimes.map(({ path }) => path)].filter((each) => each !== "");
  return {
    ...(home === undefined || home === "" ? {} : { [JAVA_HOME]: home }),
    ...(jdks.length > 0 ? { [JDKS]: [...new Set(jdks)].join(delimiter) } : {}),
  };
}

/** Returns the environment of a process of the core. */
export function coreEnvironment(folder: vscode.WorkspaceFolder | undefined): NodeJS.ProcessEnv {
  return { ...process.env, ...jdkEnvironment(folder) };
}

function runtimesOfJava(folder: vscode.WorkspaceFolder | undefined): { path: string; isDefault: boolean }[] {
  const given = vscode.workspace.getConfiguration("java", folder).get<unknown>("configuration.runtimes");
  const runtimes = Array.isArray(given) ? (given as (Runtime | null)[]) : [];
  return runtimes.flatMap((each) => {
    const path = expanded(text(each?.path), folder);
    // An entry for a JDK that this machine does not have is usual: settings are synchronized.
    return path !== "" && existsSync(path) ? [{ path, isDefault: each?.default === true }] : [];
  });
}

function text(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.map(text) : [];
}

function expanded(path: string, folder: vscode.WorkspaceFolder | undefined): string {
  return path
    .replace(/^~(?=\/|$)/, homedir())
    .replaceAll("${workspaceFolder}", folder?.uri.fsPath ?? "${workspaceFolder}");
}

/**
 * Tells that there is no JDK, or none that is new enough, and offers to choose one. What is chosen
 * is kept in the settings, and the program is started with it.
 */
export async function tellLackOfJdk(
  session: Pick<vscode.DebugSession, "configuration" | "workspaceFolder">,
  message: string,
  { tried, wanted }: LackingJdk,
  log: Pick<vscode.OutputChannel, "appendLine" | "show">,
): Promise<void> {
  for (const each of tried) {
    log.appendLine(`  ${each}`);
  }
  const choice = await vscode.window.showErrorMessage(message, CHOOSE, OPEN, TRIED);
  if (choice === TRIED) {
    log.show();
  } else if (choice === OPEN) {
    await openSetting(wanted === undefined ? "jvmdebug.javaHome" : "jvmdebug.jdks", true);
  } else if (choice === CHOOSE && (await choose(session.workspaceFolder, wanted))) {
    await vscode.debug.startDebugging(session.workspaceFolder, session.configuration);
  }
}

/** Asks for the folder of a JDK and keeps it in the settings; false if the user dismisses it, or chooses another folder. */
async function choose(folder: vscode.WorkspaceFolder | undefined, wanted: number | undefined): Promise<boolean> {
  const release = wanted === undefined ? "" : ` of Java ${String(wanted)} or newer`;
  const picked = await vscode.window.showOpenDialog({
    canSelectFiles: false,
    canSelectFolders: true,
    openLabel: "Use This JDK",
    title: `Folder of a JDK${release}`,
  });
  const path = picked?.[0]?.fsPath;
  if (path === undefined) {
    return false;
  }
  const home = [path, join(path, "Contents", "Home"), join(path, "..")].find((each) => existsSync(join(each, "bin", "java")));
  if (home === undefined) {
    void vscode.window.showErrorMessage(`${path} is not the folder of a JDK: it has no bin/java.`);
    return false;
  }
  // Where one is used already, and is too old, it stays for everything else.
  await (wanted === undefined
    ? writeSetting("javaHome", home, folder)
    : writeSetting("jdks", [...new Set([...list(setting("jdks", [], folder)), home])], folder));
  return true;
}
