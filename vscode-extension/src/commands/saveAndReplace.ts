// SPDX-License-Identifier: Apache-2.0
// Hot swap on save: a saved source of a running program is compiled, and the program gets the new
// code. The status bar shows the result, errors are underlined, and frames of old code can be
// restarted.

import { basename } from "node:path";

import * as vscode from "vscode";

import { RUN } from "../testing/runs";
import { type RedefinedClass, summary } from "./hotCodeReplace";

const REQUEST = "jvmdebug/replaceSources";
const BUILD_EVENT = "jvmdebug/problems";
const RESTART_FRAME = "Restart Frame";
const GO_TO_ERROR = "Go to Error";
const SOURCE = /\.(java|kt)$/; // Kotlin only in a Maven or Gradle project, whose build compiles it
const QUIET_MS = 100; // "Save All" saves many files: they are compiled together
const SHOWN_MS = 15_000;

interface Problem {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly severity: "error" | "warning";
}

/** A problem in the event of a launch. */
interface BuildProblem {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly isError: boolean;
}

export interface ReplacedSources {
  readonly classes: readonly RedefinedClass[];
  readonly problems: readonly Problem[];
  readonly strangers: readonly string[];
  readonly oldFrames: readonly { frameId: number; threadId: number; name: string }[];
}

export type Mode = "onSave" | "manual" | "auto" | "never";

/** Returns when a session's program gets new code. */
export function modeOf(session: vscode.DebugSession): Mode {
  return vscode.workspace.getConfiguration("jvmdebug", session.workspaceFolder).get<Mode>("hotCodeReplace", "onSave");
}

/**
 * Keeps the saved sources of each session that its program does not have yet, and replaces them.
 */
export class SavedSources implements vscode.Disposable {
  private readonly waiting = new Map<string, { session: vscode.DebugSession; paths: Set<string> }>();
  private readonly turns = new Map<string, Promise<void>>();
  private readonly diagnostics = vscode.languages.createDiagnosticCollection("jvmdebug");
  /** The problems that a build has reported at the start of a program, until the next start. */
  private readonly ofBuilds = vscode.languages.createDiagnosticCollection("jvmdebug build");
  private readonly status = vscode.window.createStatusBarItem("jvmdebug.replaced", vscode.StatusBarAlignment.Left);
  private readonly subscriptions: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;
  private hiding: NodeJS.Timeout | undefined;

  constructor() {
    this.status.name = "jvmdebug: new code";
    this.subscriptions = [
      this.diagnostics,
      this.ofBuilds,
      this.status,
      vscode.debug.onDidReceiveDebugSessionCustomEvent(({ event, session, body }) => {
        if (event === BUILD_EVENT && session.type === "jvmdebug") {
          const { problems } = body as { problems: readonly BuildProblem[] };
          this.built(problems);
          const waiting = this.waiting.get(session.id);
          for (const { path } of problems.filter(({ isError }) => isError)) {
            waiting?.paths.add(path); // they are compiled with the next file that is saved
          }
          if (session.configuration[RUN] === undefined) {
            void tellWhyNotStarted(problems, waiting === undefined ? "Not started" : "Not restarted");
          }
        }
      }),
      vscode.debug.onDidStartDebugSession((session) => {
        if (session.type === "jvmdebug" && session.configuration["noDebug"] !== true) {
          this.waiting.set(session.id, { session, paths: new Set() });
        }
      }),
      vscode.debug.onDidTerminateDebugSession((session) => {
        this.waiting.delete(session.id);
        if (this.waiting.size === 0) {
          this.diagnostics.clear();
          this.status.hide();
        }
      }),
      vscode.workspace.onDidSaveTextDocument((document) => {
        this.saved(document);
      }),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    clearTimeout(this.hiding);
    for (const each of this.subscriptions) {
      each.dispose();
    }
  }

  private saved(document: vscode.TextDocument): void {
    if (!SOURCE.test(document.uri.fsPath) || document.uri.scheme !== "file") {
      return;
    }
    for (const { session, paths } of this.waiting.values()) {
      if (modeOf(session) !== "never") {
        paths.add(document.uri.fsPath);
      }
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      for (const { session } of this.waiting.values()) {
        if (modeOf(session) === "onSave") {
          void this.replace(session);
        }
      }
    }, QUIET_MS);
  }

  /** Whether a session has saved sources that its program does not have. */
  hasWaiting(session: vscode.DebugSession): boolean {
    return (this.waiting.get(session.id)?.paths.size ?? 0) > 0;
  }

  /** Updates a program with its saved sources; one update runs at a time. */
  replace(session: vscode.DebugSession): Promise<void> {
    const turn = (this.turns.get(session.id) ?? Promise.resolve()).then(() => this.replaceNow(session));
    this.turns.set(session.id, turn);
    return turn;
  }

  private async replaceNow(session: vscode.DebugSession): Promise<void> {
    const waiting = this.waiting.get(session.id)?.paths;
    if (waiting === undefined || waiting.size === 0) {
      return;
    }
    const paths = [...waiting];
    waiting.clear();
    const names = paths.length === 1 ? basename(paths[0] ?? "") : `${String(paths.length)} files`;
    this.show(`$(sync~spin) Replacing ${names}…`);
    const begun = Date.now();
    let found: ReplacedSources;
    try {
      found = (await session.customRequest(REQUEST, { paths })) as ReplacedSources;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.show(`$(warning) ${names} was not replaced: ${why}`);
      return;
    }
    this.diagnose(paths, found);
    const failed = found.problems.find((each) => each.severity === "error");
    if (failed !== undefined) {
      for (const each of paths.filter((path) => !found.strangers.includes(path))) {
        waiting.add(each); // they are compiled again with the next file that is saved
      }
      const where = `${basename(failed.path)}:${String(failed.line)}`;
      this.show(`$(error) ${where}: ${failed.message}`, "workbench.actions.view.problems");
    } else if (found.strangers.length < paths.length) {
      this.tell(session, names, found, Date.now() - begun);
      void this.offerRestart(session, found); // not awaited: it ends when the user answers
    } else {
      this.status.hide();
    }
  }

  private tell(session: vscode.DebugSession, names: string, found: ReplacedSources, milliseconds: number): void {
    for (const each of found.classes.filter(({ outcome }) => outcome === "refused")) {
      vscode.debug.activeDebugConsole.appendLine(`not replaced: ${each.name ?? each.path}: ${each.reason ?? ""}`);
    }
    if (found.classes.some(({ outcome }) => outcome === "refused")) {
      this.show(
        `$(warning) ${summary(found.classes)}. Press to restart the program.`,
        { title: "Restart", command: "jvmdebug.restartSession", arguments: [session] },
        true,
      );
    } else if (found.classes.length === 0) {
      this.show(`$(zap) ${names}: no class has changed`);
    } else {
      this.show(`$(zap) ${summary(found.classes)} in ${(milliseconds / 1000).toFixed(1)} s`);
    }
  }

  private async offerRestart(session: vscode.DebugSession, found: ReplacedSources): Promise<void> {
    const [frame] = found.oldFrames;
    if (frame === undefined) {
      return;
    }
    const name = frame.name.replace(/ \(old code\)$/, "");
    const choice = await vscode.window.showInformationMessage(
      `${name} goes on with the old code until it is called again.`,
      RESTART_FRAME,
    );
    if (choice !== RESTART_FRAME) {
      return;
    }
    try {
      await session.customRequest("restartFrame", { frameId: frame.frameId });
    } catch (error) {
      this.show(`$(warning) ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private built(problems: readonly BuildProblem[]): void {
    this.ofBuilds.clear();
    const all = problems.map((each): Problem => ({ ...each, severity: each.isError ? "error" : "warning" }));
    for (const path of new Set(all.map((each) => each.path))) {
      const own = all.filter((each) => each.path === path);
      this.ofBuilds.set(vscode.Uri.file(path), own.map(diagnostic));
      this.diagnostics.delete(vscode.Uri.file(path));
    }
  }

  /** Marks the current problems; everything that had not compiled was compiled again. */
  private diagnose(paths: readonly string[], { problems, strangers }: ReplacedSources): void {
    if (strangers.length < paths.length && !problems.some(({ severity }) => severity === "error")) {
      this.diagnostics.clear();
      this.ofBuilds.clear();
    }
    for (const path of new Set([...paths, ...problems.map((each) => each.path)])) {
      const own = problems.filter((each) => each.path === path);
      this.diagnostics.set(vscode.Uri.file(path), own.map(diagnostic));
      this.ofBuilds.delete(vscode.Uri.file(path));
    }
  }

  private show(text: string, command?: string | vscode.Command, stays = false): void {
    clearTimeout(this.hiding);
    this.status.text = text.length > 120 ? `${text.slice(0, 119)}…` : text;
    this.status.tooltip = text.replace(/^\$\([^)]*\) /, "");
    this.status.command = command;
    this.status.show();
    if (!stays && !text.startsWith("$(sync")) {
      this.hiding = setTimeout(() => {
        this.status.hide();
      }, SHOWN_MS);
    }
  }
}

/**
 * Shows the first error, without a dialog, of a program that was not started, or keeps its code,
 * because it does not compile.
 */
async function tellWhyNotStarted(problems: readonly BuildProblem[], what: string): Promise<void> {
  const [first, ...others] = problems.filter(({ isError }) => isError);
  if (first === undefined) {
    return;
  }
  const place = `${basename(first.path)}:${String(first.line)}`;
  const more = others.length === 0 ? "" : ` (and ${String(others.length)} more in Problems)`;
  const text = `${what}, ${place}: ${first.message}${more}`;
  if ((await vscode.window.showErrorMessage(text, GO_TO_ERROR)) === GO_TO_ERROR) {
    const selection = diagnostic({ ...first, severity: "error" }).range;
    await vscode.window.showTextDocument(vscode.Uri.file(first.path), { selection });
  }
}

/**
 * Returns the columns, from 0, of what javac means by a column of a line: the name behind a dot
 * (`cart.totl` has its error at the dot), the name before a parenthesis, the word that begins or
 * ends there, else one character.
 */
export function underlined(text: string, column: number): [start: number, end: number] {
  const isName = (at: number): boolean => /[\p{L}\p{N}_$]/u.test(text[at] ?? "");
  let start = column;
  if (text[column] === ".") {
    start = column + 1 + (/^\s*/.exec(text.slice(column + 1))?.[0].length ?? 0);
  } else if (text[column] === "(" && isName(column - 1)) {
    start = column - 1;
  }
  if (!isName(start)) {
    return [column, column + 1];
  }
  let end = start;
  while (isName(start - 1)) {
    start--;
  }
  while (isName(end)) {
    end++;
  }
  return [start, end];
}

/** Makes a diagnostic that underlines the word that a problem is about. */
function diagnostic({ path, line, column, message, severity }: Problem): vscode.Diagnostic {
  const document = vscode.workspace.textDocuments.find((each) => each.uri.fsPath === path);
  const text = document === undefined || line > document.lineCount ? "" : document.lineAt(line - 1).text;
  const [start, end] = underlined(text, column - 1);
  const { Error: error, Warning: warning } = vscode.DiagnosticSeverity;
  const range = new vscode.Range(line - 1, start, line - 1, end);
  const found = new vscode.Diagnostic(range, message, severity === "error" ? error : warning);
  found.source = "javac";
  return found;
}

/** Restarts the program, for changes that the VM could not make. */
export async function restartSession(session: vscode.DebugSession): Promise<void> {
  await session.customRequest("restart", { arguments: session.configuration });
}
