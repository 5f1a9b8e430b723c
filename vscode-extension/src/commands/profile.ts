// SPDX-License-Identifier: Apache-2.0
// Profiles the debugged program: asks what to measure and for how long, and shows the flame graph
// in an editor tab.

import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import * as vscode from "vscode";

import { activeSession, showError } from "./session";

interface Profile {
  readonly totalText: string;
  readonly samples: number;
  readonly durationMs: number;
  readonly path: string;
}

export interface Kind extends vscode.QuickPickItem {
  readonly asked: { readonly kind: string; readonly live?: boolean };
}

const KINDS: readonly Kind[] = [
  { label: "CPU time", detail: "Where the program computes", asked: { kind: "cpu" } },
  { label: "Wall-clock time", detail: "Whatever threads do: compute, wait, are blocked, sleep", asked: { kind: "wall" } },
  { label: "Allocations", detail: "What is allocated, and where", asked: { kind: "alloc" } },
  { label: "Allocations that stay alive", detail: "What is still referred to at the end: a leak", asked: { kind: "alloc", live: true } },
  { label: "Locks", detail: "For which monitors threads wait, and where", asked: { kind: "locks" } },
];
const LONGEST_S = 86_400;

/** Parses the typed seconds; undefined for anything else. */
export function secondsOf(text: string): number | undefined {
  const seconds = Number(text.trim() === "" ? Number.NaN : text);
  return seconds > 0 && seconds <= LONGEST_S ? seconds : undefined;
}

/** Tells why a profile is empty: how long it was, and how often a sample is taken. */
export function nothingSampled({ label, asked }: Kind, seconds: number): string {
  const time = `${seconds < 10 ? seconds.toFixed(1) : String(Math.round(seconds))} s`;
  const why: Readonly<Record<string, string>> = {
    cpu: "no thread used a CPU for as long as 10 ms, or the program was stopped",
    wall: "the program was stopped, or has ended",
    alloc: "a sample is taken about every 512 KB that are allocated: the program allocated less, or was stopped",
    locks: "no thread waited for a monitor, or the program was stopped",
  };
  return `${label}: nothing was sampled in ${time}: ${why[asked.kind] ?? "the program was stopped"}.`;
}

/** The command; it writes its files to `folder`. */
export async function profile(folder: vscode.Uri): Promise<void> {
  const session = activeSession();
  if (session === undefined) {
    return;
  }
  const kind = await vscode.window.showQuickPick(KINDS, { title: "Profile: What" });
  if (kind === undefined) {
    return;
  }
  const typed = await vscode.window.showInputBox({
    title: `Profile: ${kind.label}`,
    prompt: "For how many seconds. The program goes on meanwhile; what is stopped is not measured.",
    value: "10",
    validateInput: (text) => (secondsOf(text) === undefined ? `Type a number of seconds, ${String(LONGEST_S)} at most` : undefined),
  });
  const seconds = typed === undefined ? undefined : secondsOf(typed);
  if (seconds === undefined) {
    return;
  }
  try {
    await mkdir(folder.fsPath, { recursive: true });
    const path = join(folder.fsPath, `profile-${String(Date.now())}.html`);
    const found = await recorded(session, kind, seconds, { ...kind.asked, seconds, path });
    if (found.samples === 0) {
      void vscode.window.showInformationMessage(nothingSampled(kind, found.durationMs / 1000));
      return;
    }
    await show(`${kind.label} of ${session.name}`, found);
  } catch (error) {
    showError(error);
  }
}

/**
 * Records a profile and shows the progress; Cancel ends it early, and what was sampled is shown.
 */
function recorded(session: vscode.DebugSession, kind: Kind, seconds: number, asked: object): Thenable<Profile> {
  const isStopped = vscode.debug.activeStackItem instanceof vscode.DebugStackFrame;
  const title = `${kind.label} for ${String(seconds)} s${isStopped ? "; the program is stopped: continue it" : ""}`;
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  return vscode.window.withProgress(options, async (_, token) => {
    token.onCancellationRequested(() => {
      session.customRequest("jvmdebug/endProfile").then(undefined, showError);
    });
    return (await session.customRequest("jvmdebug/profile", asked)) as Profile;
  });
}

async function show(title: string, { path, totalText, samples }: Profile): Promise<void> {
  const content = await readFile(path, "utf8");
  const panel = vscode.window.createWebviewPanel("jvmdebug.profile", title, vscode.ViewColumn.Active, {
    enableScripts: true, // the flame graph's own scripts; it loads nothing
    enableFindWidget: true,
    localResourceRoots: [],
  });
  panel.webview.html = content;
  const open = "Open in Browser";
  void vscode.window
    .showInformationMessage(`${title}: ${totalText} in ${String(samples)} samples.`, open, "Copy Path")
    .then(async (chosen) => {
      await (chosen === open
        ? vscode.env.openExternal(vscode.Uri.file(path))
        : chosen === undefined
          ? undefined
          : vscode.env.clipboard.writeText(path));
    });
}
