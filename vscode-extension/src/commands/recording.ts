// SPDX-License-Identifier: Apache-2.0
// Opens recordings, marks the sessions that show the past, and finds values in them.

import { statSync } from "node:fs";
import { basename } from "node:path";

import * as vscode from "vscode";

import { activeSession, showError } from "./session";
import { plain } from "../plain";
import type { VariableContext } from "./observe";

/** Set while a recording is shown. */
export const REPLAYING = "jvmdebug.replaying";
const STACK = "stackTrace";

/** The body of `jvmdebug/recording`. */
export interface RecordingBody {
  readonly path: string;
  readonly started: number;
}

/** A write, as `jvmdebug/recordedWrites` gives it. */
export interface RecordedWrite {
  readonly thread: number;
  readonly threadName: string;
  readonly index: number;
  readonly value: string;
  readonly where: string;
}

/** The body of the answer of `jvmdebug/recordedWrites`. */
interface RecordedWrites {
  readonly writes: readonly RecordedWrite[];
  readonly isCut?: boolean;
}

/** Makes the configuration that opens a recording. */
export function recordingConfiguration(path: string): vscode.DebugConfiguration {
  return { type: "jvmdebug", request: "attach", name: `Recording ${basename(path)}`, recording: path };
}

/** The command: asks for the file unless it was given. */
export async function openRecording(file?: vscode.Uri): Promise<void> {
  const chosen =
    file ??
    (
      await vscode.window.showOpenDialog({
        filters: { Recordings: ["jvmrec"] },
        openLabel: "Open Recording",
        title: "Open a Recording",
      })
    )?.[0];
  if (chosen !== undefined) {
    const folder = vscode.workspace.getWorkspaceFolder(chosen) ?? vscode.workspace.workspaceFolders?.[0];
    await vscode.debug.startDebugging(folder, recordingConfiguration(chosen.fsPath));
  }
}

/** Splits `total = 42` into the name and the value. */
export function nameAndValue(typed: string): { name: string; value?: string } {
  const [name = "", ...value] = typed.split(/={1,2}/);
  return value.length === 0 ? { name: name.trim() } : { name: name.trim(), value: value.join("=").trim() };
}

/** Whether a source was changed after a time, in milliseconds since 1970. */
export function hasChanged(path: string, since: number): boolean {
  try {
    return statSync(path).mtimeMs > since;
  } catch {
    return false; // it is not on this disk
  }
}

/** The sessions that show the past, and their mark in the status bar. */
export class Recordings implements vscode.Disposable, vscode.DebugAdapterTrackerFactory {
  private readonly known = new Map<string, RecordingBody>();
  /** The sources of each session that were looked at. */
  private readonly told = new Map<string, Set<string>>();
  private readonly status = vscode.window.createStatusBarItem("jvmdebug.recording", vscode.StatusBarAlignment.Left, 100);
  private readonly subscriptions: vscode.Disposable[];

  /** `entered` is called when a session begins to show the past. */
  constructor(private readonly entered: (session: vscode.DebugSession) => void = () => undefined) {
    this.status.name = "jvmdebug: a recording is shown";
    this.status.command = "jvmdebug.searchRecording";
    this.subscriptions = [
      this.status,
      vscode.debug.onDidReceiveDebugSessionCustomEvent(({ event, session, body }) => {
        if (event === "jvmdebug/recording" && session.type === "jvmdebug") {
          this.known.set(session.id, body as RecordingBody);
          this.entered(session);
          this.show();
        } else if (event === "jvmdebug/present" && this.known.delete(session.id)) {
          this.show();
        }
      }),
      vscode.debug.onDidTerminateDebugSession((session) => {
        this.known.delete(session.id);
        this.told.delete(session.id);
        this.show();
      }),
      vscode.debug.onDidChangeActiveDebugSession(() => {
        this.show();
      }),
    ];
  }

  dispose(): void {
    for (const each of this.subscriptions) {
      each.dispose();
    }
  }

  /** Looks at the sources of the stacks that are shown: one that has changed since is told once. */
  createDebugAdapterTracker(session: vscode.DebugSession): vscode.DebugAdapterTracker {
    return {
      onDidSendMessage: (message: unknown) => {
        const { command, body } = message as { command?: string; body?: { stackFrames?: { source?: { path?: string } }[] } };
        const known = this.known.get(session.id);
        if (command === STACK && known !== undefined) {
          for (const path of (body?.stackFrames ?? []).flatMap((each) => each.source?.path ?? [])) {
            this.tellIfChanged(session.id, path, known.started);
          }
        }
      },
    };
  }

  /** The command: asks for a name and a value, and goes to the chosen write. */
  async search(): Promise<void> {
    const session = activeSession();
    const typed =
      session === undefined
        ? undefined
        : await vscode.window.showInputBox({
            title: "Find Value in Recording",
            prompt: "A variable or a field, with a value or without",
            placeHolder: "total = 42",
          });
    if (session !== undefined && typed !== undefined && typed.trim() !== "") {
      await this.choose(session, nameAndValue(typed), "Where it was written");
    }
  }

  /** The command of a variable: goes back to where it was written. */
  async whoWrote(context?: VariableContext & { readonly variable?: { readonly evaluateName?: string } }): Promise<void> {
    const session = activeSession();
    const name = context?.variable?.evaluateName ?? context?.variable?.name;
    const item = vscode.debug.activeStackItem;
    if (session === undefined || name === undefined || !(item instanceof vscode.DebugStackFrame)) {
      return;
    }
    await this.choose(session, { name, frameId: item.frameId, last: true }, `Where ${name} was written: which was last is not known`);
  }

  private async choose(session: vscode.DebugSession, asked: object, title: string): Promise<void> {
    try {
      const { writes, isCut } = (await session.customRequest("jvmdebug/recordedWrites", asked)) as RecordedWrites;
      if (writes.length === 0) {
        void vscode.window.showInformationMessage("No such write was recorded.");
        return;
      }
      const items: (vscode.QuickPickItem & { moment?: object })[] = writes.map((each) => ({
        label: plain(each.value),
        description: plain(each.where),
        detail: plain(each.threadName),
        moment: { thread: each.thread, index: each.index },
      }));
      if (isCut === true) {
        items.push({ label: `More than ${String(writes.length)}: give a value, as in total = 42`, alwaysShow: true });
      }
      const chosen = items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
      if (chosen?.moment !== undefined) {
        await session.customRequest("jvmdebug/goToMoment", chosen.moment);
      }
    } catch (error) {
      showError(error);
    }
  }

  private tellIfChanged(session: string, path: string, since: number): void {
    const told = this.told.get(session) ?? new Set();
    this.told.set(session, told);
    if (!told.has(path)) {
      told.add(path);
      if (hasChanged(path, since)) {
        void vscode.window.showWarningMessage(`${basename(path)} has changed since it was recorded: lines may not fit.`);
      }
    }
  }

  private show(): void {
    const session = vscode.debug.activeDebugSession;
    const body = session === undefined ? undefined : this.known.get(session.id);
    void vscode.commands.executeCommand("setContext", REPLAYING, body !== undefined);
    if (body === undefined) {
      this.status.hide();
      return;
    }
    this.status.text = `$(history) The past: ${plain(basename(body.path))}`;
    this.status.tooltip = `Recorded ${new Date(body.started).toLocaleString()}. Nothing of the program runs. Click to find a value.`;
    this.status.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
    this.status.show();
  }
}
