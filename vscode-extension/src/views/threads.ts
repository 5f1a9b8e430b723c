// SPDX-License-Identifier: Apache-2.0
// The view Threads & Monitors: what each thread does, holds and waits for, and deadlocks. It is
// read at each stop while the view is open; for a running program only on request, because that
// suspends the program for a moment.

import * as vscode from "vscode";

import { showError } from "../commands/session";
import { readAloud } from "./rows";

export interface DumpedThread {
  readonly threadId?: number;
  readonly name: string;
  readonly status: string;
  readonly isVirtual: boolean;
  readonly isOfVm?: boolean;
  readonly frames: readonly string[];
  readonly frameCount: number;
  /** What submitted its task, while that is shown. */
  readonly origins?: readonly { readonly label: string; readonly frames: readonly string[] }[];
  readonly holds: readonly { readonly text: string }[];
  readonly waitsFor?: { readonly text: string; readonly owner?: string };
}

export interface ThreadDump {
  readonly threads: readonly DumpedThread[];
  readonly deadlocks: readonly (readonly string[])[];
  readonly heldMs?: number;
  readonly leftOut?: number;
  readonly monitorsUnknown?: string;
}

/** A row of the view and its children. */
export interface Row {
  readonly label: string;
  readonly description?: string;
  readonly icon: string;
  readonly color?: string;
  readonly isOpen?: boolean;
  readonly children: readonly Row[];
}

const ICONS: Record<string, string> = {
  running: "play",
  stopped: "debug-pause",
  suspended: "debug-pause",
  sleeping: "clock",
  blocked: "lock",
  waiting: "watch",
};
const ERROR_COLOR = "list.errorForeground";

/** Describes what a thread waits for, in a few words. */
function wait({ waitsFor, status }: DumpedThread): string {
  if (waitsFor === undefined) {
    return "";
  }
  const owner = waitsFor.owner === undefined ? "" : `, held by ${waitsFor.owner}`;
  return ` · ${status === "blocked" ? "wants" : "waits on"} ${waitsFor.text}${owner}`;
}

function threadRow(thread: DumpedThread, isDeadlocked: boolean): Row {
  const more = thread.frameCount - thread.frames.length;
  return {
    label: thread.name,
    description: `${isDeadlocked ? "deadlocked" : thread.status}${wait(thread)}`,
    icon: ICONS[thread.status] ?? "circle-outline",
    ...(isDeadlocked ? { color: ERROR_COLOR } : {}),
    children: [
      ...(thread.waitsFor === undefined ? [] : [{ label: wait(thread).slice(3), icon: "lock", children: [] }]),
      ...thread.holds.map(({ text }) => ({ label: `holds ${text}`, icon: "key", children: [] })),
      ...thread.frames.map((frame) => ({ label: frame, icon: "debug-stackframe", children: [] })),
      ...(more > 0 && thread.frames.length > 0 ? [{ label: `… ${String(more)} more`, icon: "ellipsis", children: [] }] : []),
      ...(thread.origins ?? []).map(({ label, frames }) => ({
        label,
        icon: "arrow-small-up",
        children: frames.map((frame) => ({ label: frame, icon: "debug-stackframe", children: [] })),
      })),
    ],
  };
}

/**
 * Makes the rows of a dump: deadlocks, the program's platform threads (blocked ones first, then
 * stopped ones), virtual threads grouped by state, and the VM's own threads in one row.
 */
export function rows({ threads, deadlocks, leftOut = 0, monitorsUnknown }: ThreadDump): Row[] {
  const stuck = new Set(deadlocks.flat());
  const row = (thread: DumpedThread): Row => threadRow(thread, stuck.has(thread.name));
  const order = (thread: DumpedThread): number =>
    stuck.has(thread.name) ? 0 : thread.status === "blocked" ? 1 : thread.status === "stopped" ? 2 : 3;
  const sorted = [...threads].sort((one, other) => order(one) - order(other));
  const virtual = sorted.filter((each) => each.isVirtual);
  const platform = sorted.filter((each) => !each.isVirtual);
  const ofVm = platform.filter((each) => each.isOfVm === true && !stuck.has(each.name));
  const states = [...new Set(virtual.map((each) => each.status))];
  return [
    ...(monitorsUnknown === undefined
      ? []
      : [{ label: "Monitors are not known", description: monitorsUnknown, icon: "info", children: [] }]),
    ...deadlocks.map((names) => ({
      label: `Deadlock of ${String(names.length)} threads`,
      description: [...names, names[0] ?? ""].join(" → "),
      icon: "error",
      color: ERROR_COLOR,
      isOpen: true,
      children: names.flatMap((name) => sorted.filter((each) => each.name === name).slice(0, 1).map(row)),
    })),
    ...platform.filter((each) => !ofVm.includes(each)).map(row),
    ...(virtual.length === 0
      ? []
      : [
          {
            label: "Virtual threads",
            description: leftOut > 0 ? `${String(virtual.length)} of ${String(virtual.length + leftOut)}` : String(virtual.length),
            icon: "group-by-ref-type",
            children: states.map((state) => {
              const own = virtual.filter((each) => each.status === state);
              const icon = ICONS[state] ?? "circle-outline";
              return { label: state, description: String(own.length), icon, children: own.map(row) };
            }),
          },
        ]),
    ...(ofVm.length === 0
      ? []
      : [{ label: "Threads of the VM", description: String(ofVm.length), icon: "gear", children: ofVm.map(row) }]),
  ];
}

/** The view of the active session. */
export class ThreadsView implements vscode.TreeDataProvider<Row>, vscode.DebugAdapterTrackerFactory, vscode.Disposable {
  private shown: Row[] = [];
  private isVisible = false;
  private turn = 0;
  private readonly changes = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changes.event;

  dispose(): void {
    this.changes.dispose();
  }

  createDebugAdapterTracker(session: vscode.DebugSession): vscode.DebugAdapterTracker {
    return {
      onDidSendMessage: ({ type, event }: { type: string; event?: string }) => {
        if (type === "event" && event === "stopped" && this.isVisible) {
          void this.read(session, false);
        } else if (event === "terminated") {
          this.show([]);
        }
      },
    };
  }

  watch(view: vscode.TreeView<Row>): vscode.Disposable {
    return view.onDidChangeVisibility(({ visible }) => {
      this.isVisible = visible;
      const session = vscode.debug.activeDebugSession;
      if (visible && session?.type === "jvmdebug" && vscode.debug.activeStackItem !== undefined) {
        void this.read(session, false);
      }
    });
  }

  /** The command: reads the threads now. */
  async refresh(): Promise<void> {
    const session = vscode.debug.activeDebugSession;
    if (session?.type === "jvmdebug") {
      await this.read(session, true);
    }
  }

  private async read(session: vscode.DebugSession, isAsked: boolean): Promise<void> {
    const turn = ++this.turn;
    try {
      const dump = (await session.customRequest("jvmdebug/threadDump", {})) as ThreadDump;
      if (turn === this.turn) {
        this.show(rows(dump));
      }
    } catch (error) {
      if (isAsked) {
        showError(error);
      } // else the program has gone on or ended meanwhile
    }
  }

  private show(found: Row[]): void {
    this.shown = found;
    this.changes.fire(undefined);
  }

  getChildren(row?: Row): Row[] {
    return row === undefined ? this.shown : [...row.children];
  }

  getTreeItem(row: Row): vscode.TreeItem {
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(row.label, row.children.length === 0 ? None : row.isOpen === true ? Expanded : Collapsed);
    if (row.description !== undefined) {
      item.description = row.description;
    }
    item.tooltip = row.description === undefined ? row.label : `${row.label}: ${row.description}`;
    item.iconPath = new vscode.ThemeIcon(row.icon, row.color === undefined ? undefined : new vscode.ThemeColor(row.color));
    return readAloud(item);
  }
}
