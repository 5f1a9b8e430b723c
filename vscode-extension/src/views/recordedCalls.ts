// SPDX-License-Identifier: Apache-2.0
// The view Recorded Calls: what called what in a recording, with times; a click goes there.

import * as vscode from "vscode";

import { showError } from "../commands/session";

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

export class RecordedCallsView implements vscode.TreeDataProvider<RecordedCall> {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;

  private shown: string | undefined;

  /** Reads the calls when another session has stopped first; they do not change in the past. */
  refreshOnce(): void {
    const session = vscode.debug.activeDebugSession?.id;
    if (session !== this.shown) {
      this.shown = session;
      this.changed.fire(undefined);
    }
  }

  async getChildren(parent?: RecordedCall): Promise<RecordedCall[]> {
    const session = vscode.debug.activeDebugSession;
    if (session?.type !== "jvmdebug") {
      return [];
    }
    const asked = parent === undefined ? {} : { thread: parent.thread, parent: parent.index };
    try {
      return ((await session.customRequest("jvmdebug/recordedCalls", asked)) as { calls: RecordedCall[] }).calls;
    } catch {
      return []; // it does not stand, or is no recording
    }
  }

  getTreeItem(call: RecordedCall): vscode.TreeItem {
    const item = new vscode.TreeItem(callLabel(call), vscode.TreeItemCollapsibleState.Collapsed);
    item.id = `${String(call.thread)} ${String(call.index)}`;
    const ended = call.exception === "" ? call.result : `threw ${call.exception}`;
    item.description = [ended === "" ? "" : `→ ${ended}`, duration(call.durationNs)].filter((each) => each !== "").join(" · ");
    item.tooltip = `${call.name}\nthread ${call.threadName}, ${duration(call.startNs)} after the beginning`;
    item.iconPath = new vscode.ThemeIcon(call.exception === "" ? "symbol-method" : "error");
    item.command = { title: "Go There", command: "jvmdebug.goToMoment", arguments: [call] };
    return item;
  }
}

/** Goes to the beginning of a call. */
export async function goToMoment(call: RecordedCall): Promise<void> {
  try {
    await vscode.debug.activeDebugSession?.customRequest("jvmdebug/goToMoment", { thread: call.thread, index: call.index });
  } catch (error) {
    showError(error);
  }
}
