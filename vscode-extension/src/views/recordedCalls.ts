// SPDX-License-Identifier: Apache-2.0
// The view Recorded Calls: what called what in a recording, with times; a click goes there.

import * as vscode from "vscode";

import { showError } from "../commands/session";
import { readAloud } from "./rows";

/** A call, as `jvmdebug/recordedCalls` gives it. */
export interface RecordedCall {
  readonly thread: number;
  readonly threadName: string;
  readonly index: number;
  readonly name: string;
  readonly arguments: readonly string[];
  readonly result: string;
  readonly exception: string;
  readonly startNs: number;
  readonly durationNs: number;
}

/** The body of the answer of `jvmdebug/recordedCalls`. */
interface RecordedCalls {
  readonly calls: readonly RecordedCall[];
  readonly isCut?: boolean;
}

/** Writes a duration with a unit that fits: `850 ns`, `12.3 ms`. */
export function duration(nanoseconds: number): string {
  for (const [unit, size] of [["s", 1e9], ["ms", 1e6], ["µs", 1e3]] as const) {
    if (nanoseconds >= size) {
      return `${(nanoseconds / size).toPrecision(3)} ${unit}`;
    }
  }
  return `${String(nanoseconds)} ns`;
}

/** Writes a call without its package: `Till.add(10)`. */
export function callLabel(call: RecordedCall): string {
  return `${call.name.split(".").slice(-2).join(".")}(${call.arguments.join(", ")})`;
}

/** A call of a session, or the row that says that others are not shown. */
export type CallNode =
  | { readonly session: vscode.DebugSession; readonly call: RecordedCall }
  | { readonly session: vscode.DebugSession; readonly shown: number; readonly below: string };

export class RecordedCallsView implements vscode.TreeDataProvider<CallNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;

  /** The session whose calls have been read. */
  private shown: string | undefined;

  dispose(): void {
    this.changed.dispose();
  }

  /** Reads the calls until they came once for the session that has stopped; they do not change in the past. */
  refreshOnce(): void {
    if (vscode.debug.activeDebugSession?.id !== this.shown) {
      this.changed.fire(undefined);
    }
  }

  /** Reads the calls of a session again: more was recorded meanwhile. */
  forget(session: vscode.DebugSession): void {
    if (session.id === this.shown) {
      this.shown = undefined;
      this.changed.fire(undefined);
    }
  }

  async getChildren(parent?: CallNode): Promise<CallNode[]> {
    const session = parent?.session ?? vscode.debug.activeDebugSession;
    if (session?.type !== "jvmdebug" || (parent !== undefined && !("call" in parent))) {
      return [];
    }
    const asked = parent === undefined ? {} : { thread: parent.call.thread, parent: parent.call.index };
    try {
      const { calls, isCut } = (await session.customRequest("jvmdebug/recordedCalls", asked)) as RecordedCalls;
      if (parent === undefined) {
        this.shown = session.id;
      }
      const nodes: CallNode[] = calls.map((call) => ({ session, call }));
      return isCut === true ? [...nodes, { session, shown: calls.length, below: parent === undefined ? "" : idOf(parent.call) }] : nodes;
    } catch {
      return []; // it does not stand, or is no recording
    }
  }

  getTreeItem(node: CallNode): vscode.TreeItem {
    if (!("call" in node)) {
      const more = new vscode.TreeItem("more", vscode.TreeItemCollapsibleState.None);
      more.id = `${node.session.id} ${node.below} more`;
      more.description = `only the first ${String(node.shown)} calls are shown`;
      return readAloud(more);
    }
    const { call, session } = node;
    const item = new vscode.TreeItem(callLabel(call), vscode.TreeItemCollapsibleState.Collapsed);
    item.id = `${session.id} ${idOf(call)}`;
    const ended = call.exception === "" ? call.result : `threw ${call.exception}`;
    item.description = [ended === "" ? "" : `→ ${ended}`, duration(call.durationNs)].filter((each) => each !== "").join(" · ");
    item.tooltip = `${call.name}\nthread ${call.threadName}, ${duration(call.startNs)} after the beginning`;
    item.iconPath = new vscode.ThemeIcon(call.exception === "" ? "symbol-method" : "error");
    item.command = { title: "Go There", command: "jvmdebug.goToMoment", arguments: [node] };
    return readAloud(item);
  }
}

function idOf(call: RecordedCall): string {
  return `${String(call.thread)} ${String(call.index)}`;
}

/** Goes to the beginning of a call. */
export async function goToMoment(node: CallNode): Promise<void> {
  if ("call" in node) {
    try {
      await node.session.customRequest("jvmdebug/goToMoment", { thread: node.call.thread, index: node.call.index });
    } catch (error) {
      showError(error);
    }
  }
}
