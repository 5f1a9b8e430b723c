// SPDX-License-Identifier: Apache-2.0
// Hot code replace from class files: on command, or whenever the classes of a debugged program are
// compiled.

import { isAbsolute, join } from "node:path";

import * as vscode from "vscode";

import { modeOf, type SavedSources } from "./saveAndReplace";
import { activeSession, showError } from "./session";

const REQUEST = "jvmdebug/redefineClasses";
const QUIET_MS = 400; // a build writes many files: they are replaced together

export interface RedefinedClass {
  readonly path: string;
  readonly outcome: "redefined" | "not loaded" | "refused" | "unreadable";
  readonly name?: string;
  readonly reason?: string;
}

/** Returns the directories of a configuration's class path; jars are not compiled in place. */
export function classDirectories(
  configuration: vscode.DebugConfiguration,
  folder: string | undefined,
): string[] {
  const entries: unknown = configuration["classPaths"];
  const base: unknown = configuration["cwd"] ?? folder;
  if (!Array.isArray(entries)) {
    return [];
  }
  return entries
    .filter((each): each is string => typeof each === "string")
    .filter((each) => !/\.(jar|zip)$|^[$!]|\*/.test(each))
    .map((each) => (isAbsolute(each) || typeof base !== "string" ? each : join(base, each)));
}

/** Describes the outcome in one sentence for a message. */
export function summary(classes: readonly RedefinedClass[]): string {
  const replaced = classes.filter((each) => each.outcome === "redefined").length;
  const refused = classes.filter((each) => each.outcome === "refused");
  const parts = [`${String(replaced)} ${replaced === 1 ? "class" : "classes"} replaced`];
  const [first] = refused;
  if (first !== undefined) {
    const others = refused.length > 1 ? ` (and ${String(refused.length - 1)} more)` : "";
    parts.push(`${first.name ?? first.path} was not: ${first.reason ?? "refused"}${others}`);
  }
  return parts.join("; ");
}

/** Says in a few words why a class was refused: `extra() is new`. */
export function shortReason(reason: string): string {
  const [, change, kind, what = ""] = /\b(new|missing) (method|field|interface)s? ([^;]+)/.exec(reason) ?? [];
  const simple = what.replaceAll(/\b[a-z_][\w$]*\.(?=[\w$])/g, "");
  const name = { method: /[\w$]+\([^)]*\)/, field: /(?<=\s)[\w$]+/, interface: /[\w$]+/ }[kind ?? ""]?.exec(simple)?.[0];
  if (name === undefined) {
    return reason.replace(/ \([A-Z_]+\)$/, "").split(/[:;]/)[0] ?? reason;
  }
  return `${name} is ${change === "new" ? "new" : "gone"}`;
}

async function replace(session: vscode.DebugSession, paths: readonly string[]): Promise<void> {
  const body = (await session.customRequest(REQUEST, { paths })) as {
    classes: readonly RedefinedClass[];
  };
  const told = body.classes.filter((each) => each.outcome !== "not loaded" || each.reason !== undefined);
  for (const each of told) {
    const reason = each.reason === undefined ? "" : `: ${each.reason}`;
    vscode.debug.activeDebugConsole.appendLine(`${each.outcome}: ${each.name ?? each.path}${reason}`);
  }
  if (told.some((each) => each.outcome !== "redefined")) {
    void vscode.window.showWarningMessage(
      `Hot code replace: ${summary(told)}. Restart the program to run all of the new code.`,
    );
  } else if (told.length > 0) {
    vscode.window.setStatusBarMessage(`Hot code replace: ${summary(told)}`, 5000);
  } else {
    vscode.window.setStatusBarMessage("Hot code replace: no class has changed", 5000);
  }
}

/**
 * Updates the running program with its saved sources; if there are none, with the class files that
 * have changed since its start.
 */
export async function hotCodeReplace(saved: SavedSources): Promise<void> {
  const session = activeSession();
  if (session === undefined) {
    return;
  }
  if (modeOf(session) === "never") {
    showError('Hot code replace is off: the setting "jvmdebug.hotCodeReplace" is "never".');
    return;
  }
  if (saved.hasWaiting(session)) {
    await saved.replace(session);
    return;
  }
  let paths = classDirectories(session.configuration, session.workspaceFolder?.uri.fsPath);
  if (paths.length === 0 && session.configuration.request === "launch") {
    vscode.window.setStatusBarMessage("Hot code replace: no source of the program was saved since it has started", 5000);
    return;
  }
  if (paths.length === 0) {
    const chosen = await vscode.window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      canSelectMany: true,
      openLabel: "Replace Classes",
      title: "Directories with the compiled classes",
    });
    paths = (chosen ?? []).map((each) => each.fsPath);
  }
  if (paths.length === 0) {
    return;
  }
  try {
    await replace(session, paths);
  } catch (error) {
    showError(error);
  }
}

/** Watches the class path of each session, with the setting `jvmdebug.hotCodeReplace: auto`. */
export class ClassFileWatcher implements vscode.Disposable {
  private readonly watched = new Map<string, vscode.Disposable[]>();
  private readonly subscriptions: vscode.Disposable[];

  constructor() {
    this.subscriptions = [
      vscode.debug.onDidStartDebugSession((session) => {
        this.watch(session);
      }),
      vscode.debug.onDidTerminateDebugSession((session) => {
        this.unwatch(session.id);
      }),
    ];
  }

  dispose(): void {
    for (const id of [...this.watched.keys()]) {
      this.unwatch(id);
    }
    for (const each of this.subscriptions) {
      each.dispose();
    }
  }

  private watch(session: vscode.DebugSession): void {
    if (session.type !== "jvmdebug" || modeOf(session) !== "auto") {
      return;
    }
    const changed = new Set<string>();
    let timer: NodeJS.Timeout | undefined;
    const note = (file: vscode.Uri): void => {
      changed.add(file.fsPath);
      clearTimeout(timer);
      timer = setTimeout(() => {
        const paths = [...changed];
        changed.clear();
        replace(session, paths).catch(showError);
      }, QUIET_MS);
    };
    const folder = session.workspaceFolder?.uri.fsPath;
    const own = classDirectories(session.configuration, folder).flatMap((directory) => {
      const pattern = new vscode.RelativePattern(vscode.Uri.file(directory), "**/*.class");
      const watcher = vscode.workspace.createFileSystemWatcher(pattern);
      return [watcher, watcher.onDidChange(note), watcher.onDidCreate(note)];
    });
    own.push({
      dispose: () => {
        clearTimeout(timer);
      },
    });
    this.watched.set(session.id, own);
  }

  private unwatch(id: string): void {
    for (const each of this.watched.get(id) ?? []) {
      each.dispose();
    }
    this.watched.delete(id);
  }
}
