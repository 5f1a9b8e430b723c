// SPDX-License-Identifier: Apache-2.0
// The view Evaluated: what the evaluate window and selections gave, as trees, the newest first; and the stages of a stream.
// The references of values hold until the program goes on: then the texts stay, and cannot be opened.

import * as vscode from "vscode";

import { activeSession, showError } from "../commands/session";
import { readAloud } from "./rows";

const MOST_SHOWN = 50;

interface Shown {
  readonly name: string;
  readonly value: string;
  readonly variablesReference: number;
}

interface Evaluated {
  readonly result: string;
  readonly variablesReference: number;
}

export interface Node {
  /** The row keeps the focus and stays open when a new one comes above it. */
  readonly id?: string;
  readonly shown: Shown;
  readonly children?: readonly Node[];
}

/** The frame that is selected in the Call Stack; the newest stop decides if none is. */
export function selectedFrame(session: vscode.DebugSession): { frameId: number } | object {
  const item = vscode.debug.activeStackItem;
  return item instanceof vscode.DebugStackFrame && item.session === session ? { frameId: item.frameId } : {};
}

/** One line for a text of several. */
export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, " ");
}

export class EvaluatedView implements vscode.TreeDataProvider<Node>, vscode.DebugAdapterTrackerFactory, vscode.Disposable {
  private nodes: readonly Node[] = [];
  private count = 0;
  private view: vscode.TreeView<Node> | undefined;
  private session: vscode.DebugSession | undefined;
  private readonly changes = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changes.event;

  dispose(): void {
    this.changes.dispose();
  }

  createDebugAdapterTracker(session: vscode.DebugSession): vscode.DebugAdapterTracker {
    return {
      onDidSendMessage: ({ event }: { event?: string }) => {
        if ((event === "continued" || event === "terminated") && this.session === session) {
          this.nodes = this.nodes.map((each) => closed(each));
          this.changes.fire(undefined);
        }
      },
    };
  }

  /** Evaluates a text in the selected frame and shows what it gives. */
  async evaluate(text: string): Promise<void> {
    const session = activeSession();
    if (session === undefined || text.trim() === "") {
      return;
    }
    const about = { expression: text, context: "repl", ...selectedFrame(session) };
    try {
      const { result, variablesReference } = (await session.customRequest("evaluate", about)) as Evaluated;
      await this.show(session, { shown: { name: oneLine(text), value: result, variablesReference } });
    } catch (error) {
      const shown = { name: oneLine(text), value: `<${messageOf(error)}>`, variablesReference: 0 };
      await this.show(session, { shown });
    }
  }

  /** Shows what each call has, in the chain on a stream at the selected frame's line. */
  async streamStages(): Promise<void> {
    const session = activeSession();
    const frame = session === undefined ? {} : selectedFrame(session);
    if (session === undefined || !("frameId" in frame)) {
      return;
    }
    try {
      const { stages } = (await session.customRequest("jvmdebug/streamStages", frame)) as { stages: Shown[] };
      const shown = { name: "stages of the stream", value: "", variablesReference: 0 };
      await this.show(session, { shown, children: stages.map((each) => ({ shown: each })) });
    } catch (error) {
      showError(error);
    }
  }

  /** Shows a row above the others. The focus stays where it is: in the editor, mostly. */
  private async show(session: vscode.DebugSession, node: Node): Promise<void> {
    this.session = session;
    const shown = { ...node, id: `evaluated ${String(++this.count)}` };
    this.nodes = [shown, ...this.nodes].slice(0, MOST_SHOWN);
    this.changes.fire(undefined);
    await this.view?.reveal(shown, { focus: false });
  }

  /** Rows are revealed in this view, the topmost ones only. */
  showIn(view: vscode.TreeView<Node>): vscode.Disposable {
    this.view = view;
    return view;
  }

  getParent(): undefined {
    return undefined;
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node === undefined) {
      return [...this.nodes];
    }
    if (node.children !== undefined) {
      return [...node.children];
    }
    try {
      const about = { variablesReference: node.shown.variablesReference };
      const found = (await this.session?.customRequest("variables", about)) as { variables: Shown[] } | undefined;
      return (found?.variables ?? []).map((shown) => ({ shown }));
    } catch {
      return []; // the program goes on
    }
  }

  getTreeItem({ id, shown, children }: Node): vscode.TreeItem {
    const isOpen = children !== undefined;
    const canOpen = isOpen || shown.variablesReference > 0;
    const states = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(shown.name, isOpen ? states.Expanded : canOpen ? states.Collapsed : states.None);
    item.description = shown.value;
    item.tooltip = `${shown.name} = ${shown.value}`;
    if (id !== undefined) {
      item.id = id;
    }
    return readAloud(item);
  }
}

function closed(node: Node): Node {
  const still = { ...node, shown: { ...node.shown, variablesReference: 0 } };
  return node.children === undefined ? still : { ...still, children: node.children.map((each) => closed(each)) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
