// SPDX-License-Identifier: Apache-2.0
// The view Objects: the number of objects of the chosen classes, the change since the last stop,
// and the objects with their fields. While the view is open, each stop costs a walk over the heap.

import * as vscode from "vscode";

import { activeSession, showError } from "../commands/session";
import { pickClass, pickFromHistogram } from "./classPicker";
import { readAloud } from "./rows";

const MEMORY = "jvmdebug.objectClasses";
const MOST_SHOWN = 100;

interface Shown {
  readonly name: string;
  readonly value: string;
  readonly type?: string;
  readonly variablesReference: number;
}

interface Counted {
  readonly className: string;
  readonly count: number | undefined;
  readonly change: number;
  /** Whether there is a class of that name. */
  readonly isLoaded: boolean;
}

export type Node =
  | { readonly kind: "class"; readonly counted: Counted }
  | { readonly kind: "value"; readonly shown: Shown; readonly kept?: number }
  | { readonly kind: "text"; readonly text: string };

/** Writes a change as "+2", "−1", or nothing. */
export function changeText(change: number): string {
  return change === 0 ? "" : change > 0 ? ` (+${String(change)})` : ` (−${String(-change)})`;
}

export class ObjectsView implements vscode.TreeDataProvider<Node>, vscode.DebugAdapterTrackerFactory, vscode.Disposable {
  private counts = new Map<string, Counted>();
  private kept: readonly Node[] = [];
  private session: vscode.DebugSession | undefined;
  private isVisible = false;
  private readonly changes = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changes.event;

  dispose(): void {
    this.changes.dispose();
  }

  constructor(private readonly memory: vscode.Memento) {}

  private get classes(): readonly string[] {
    return this.memory.get<string[]>(MEMORY, []);
  }

  createDebugAdapterTracker(session: vscode.DebugSession): vscode.DebugAdapterTracker {
    return {
      onDidSendMessage: ({ event }: { event?: string }) => {
        if (event === "stopped" && this.isVisible) {
          void this.count(session);
        } else if (event === "terminated" && this.session === session) {
          this.session = undefined;
          this.kept = [];
          this.counts.clear();
          this.changes.fire(undefined);
        }
      },
    };
  }

  watch(view: vscode.TreeView<Node>): vscode.Disposable {
    return view.onDidChangeVisibility(({ visible }) => {
      this.isVisible = visible;
      const session = vscode.debug.activeDebugSession;
      if (visible && session?.type === "jvmdebug") {
        void this.count(session);
      }
    });
  }

  /** The command that asks for a class and shows its objects from now on. */
  add(): Promise<void> {
    return this.pick(pickClass);
  }

  /**
   * The command that lists all classes with their objects and bytes; the picked one is shown from
   * now on.
   */
  histogram(): Promise<void> {
    return this.pick(pickFromHistogram);
  }

  private async pick(ask: (session: vscode.DebugSession) => Promise<string | undefined>): Promise<void> {
    const session = activeSession();
    if (session === undefined) {
      return;
    }
    try {
      const chosen = await ask(session);
      if (chosen !== undefined) {
        await this.keep([...new Set([...this.classes, chosen])]);
        await vscode.commands.executeCommand("jvmdebug.objects.focus");
      }
    } catch (error) {
      showError(error);
    }
  }

  async remove(node: Node): Promise<void> {
    if (node.kind === "class") {
      await this.keep(this.classes.filter((each) => each !== node.counted.className));
    }
  }

  /**
   * The command that keeps an object of this view or of the Variables view reachable, and shows it
   * first.
   */
  async keepObject(from: Node | { variable?: { variablesReference?: number } }): Promise<void> {
    const session = activeSession();
    const shown = "kind" in from ? (from.kind === "value" ? from.shown : undefined) : from.variable;
    if (session === undefined || shown?.variablesReference === undefined) {
      return;
    }
    await this.changeKept(session, "jvmdebug/keep", { variablesReference: shown.variablesReference });
  }

  async release(node: Node): Promise<void> {
    if (node.kind === "value" && node.kept !== undefined && this.session !== undefined) {
      await this.changeKept(this.session, "jvmdebug/release", { number: node.kept });
    }
  }

  private async changeKept(session: vscode.DebugSession, request: string, asked: object): Promise<void> {
    try {
      this.showKept(session, await session.customRequest(request, asked));
      await vscode.commands.executeCommand("jvmdebug.objects.focus");
    } catch (error) {
      showError(error);
    }
  }

  private showKept(session: vscode.DebugSession, body: unknown): void {
    this.session = session;
    this.kept = (body as { objects: Shown[] }).objects.map((shown) => {
      return { kind: "value", shown, kept: Number(/\d+/.exec(shown.name)?.[0]) };
    });
    this.changes.fire(undefined);
  }

  /** The command that counts now. */
  refresh(): Promise<void> {
    const session = vscode.debug.activeDebugSession;
    return session?.type === "jvmdebug" ? this.count(session, true) : Promise.resolve();
  }

  private async keep(classes: readonly string[]): Promise<void> {
    await this.memory.update(MEMORY, classes);
    await this.refresh();
    this.changes.fire(undefined);
  }

  private async count(session: vscode.DebugSession, isAsked = false): Promise<void> {
    const classNames = this.classes;
    try {
      if (this.kept.length > 0) {
        this.showKept(session, await session.customRequest("jvmdebug/kept"));
      }
      if (classNames.length === 0) {
        return;
      }
      const body = (await session.customRequest("jvmdebug/instanceCounts", { classNames })) as {
        counts: { className: string; count: number; isLoaded: boolean }[];
      };
      const before = this.session === session ? this.counts : new Map<string, Counted>();
      this.session = session;
      this.counts = new Map(
        body.counts.map(({ className, count, isLoaded }) => {
          const known = before.get(className)?.count;
          return [className, { className, count, change: known === undefined ? 0 : count - known, isLoaded }];
        }),
      );
      this.changes.fire(undefined);
    } catch (error) {
      if (isAsked) {
        showError(error);
      } // else the program has gone on or ended meanwhile
    }
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node === undefined) {
      const classes = this.classes.map((className): Node => ({
        kind: "class",
        counted: this.counts.get(className) ?? { className, count: undefined, change: 0, isLoaded: true },
      }));
      return [...this.kept, ...classes];
    }
    try {
      return await this.below(node);
    } catch (error) {
      return [{ kind: "text", text: error instanceof Error ? error.message : String(error) }];
    }
  }

  private async below(node: Node): Promise<Node[]> {
    if (this.session === undefined || node.kind === "text") {
      return [];
    }
    if (node.kind === "value") {
      const { variablesReference } = node.shown;
      const body = (await this.session.customRequest("variables", { variablesReference })) as { variables: Shown[] };
      return body.variables.map((shown) => ({ kind: "value", shown }));
    }
    const { className } = node.counted;
    const body = (await this.session.customRequest("jvmdebug/instances", { className, count: MOST_SHOWN })) as {
      count: number;
      instances: Shown[];
    };
    const found: Node[] = body.instances.map((shown) => ({ kind: "value", shown }));
    const more = body.count - found.length;
    return more > 0 ? [...found, { kind: "text", text: `… ${String(more)} more` }] : found;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return readAloud(itemOf(node));
  }
}

function itemOf(node: Node): vscode.TreeItem {
  const { None, Collapsed } = vscode.TreeItemCollapsibleState;
  if (node.kind === "text") {
    return new vscode.TreeItem(node.text, None);
  }
  if (node.kind === "class") {
    const { className, count, change, isLoaded } = node.counted;
    const item = new vscode.TreeItem(className, count === undefined || count === 0 ? None : Collapsed);
    if (isLoaded) {
      item.description = count === undefined ? "" : `${String(count)}${changeText(change)}`;
      item.tooltip = `${className}\nObjects that the program can reach. The heap histogram counts garbage, too, until it is collected.`;
    } else {
      item.description = "no class of this name is loaded";
    }
    item.iconPath = new vscode.ThemeIcon(isLoaded ? "symbol-class" : "question");
    item.contextValue = "class";
    return item;
  }
  const { name, value, variablesReference } = node.shown;
  const item = new vscode.TreeItem(name, variablesReference === 0 ? None : Collapsed);
  item.description = value;
  item.tooltip = value;
  if (node.kept !== undefined) {
    item.iconPath = new vscode.ThemeIcon("pinned");
  }
  item.contextValue = node.kept !== undefined ? "kept" : variablesReference === 0 ? "text" : "object";
  return item;
}
