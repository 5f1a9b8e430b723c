// SPDX-License-Identifier: Apache-2.0
// The view Breakpoint Hits: how often each breakpoint and log point was hit, when last, and with
// which values. It only reads the messages between VS Code and the adapter, and sends none.

import { basename } from "node:path";

import * as vscode from "vscode";

import { readAloud } from "./rows";

/** Hits are shown after the end of the program, too. */
const HAS_HITS = "jvmdebug.hasHits";
const MOST_VALUES = 12;
/** Requests that may change values: what is shown afterwards is not what the breakpoint has found. */
const CHANGES = /^(setVariable|setExpression)$/;
const MOST_RECENT = 20;
const MOST_PLACES = 200;

interface Message {
  readonly type: string;
  readonly seq?: number;
  readonly request_seq?: number;
  readonly command?: string;
  readonly event?: string;
  readonly success?: boolean;
  readonly arguments?: Record<string, unknown>;
  readonly body?: Record<string, unknown>;
}

interface Hit {
  /** Counted from the first hit of the session. */
  readonly number: number;
  readonly time: Date;
  /** The message of a log point, or the values of the locals. */
  values: readonly string[];
}

/** A breakpoint with its hits. */
export interface Place {
  readonly label: string;
  readonly path: string | undefined;
  readonly line: number | undefined;
  count: number;
  /** The newest first. */
  readonly recent: Hit[];
}

/** The hits of one session, from its messages. */
export class HitRecorder {
  readonly places = new Map<string, Place>();
  private hits = 0;
  private readonly locations = new Map<number, { path: string | undefined; line: number | undefined; label: string }>();
  /** The names of data ids and exception filters. */
  private readonly names = new Map<string, string>();
  private readonly pending = new Map<number, { command: string; arguments: Record<string, unknown> }>();
  /**
   * The last stop: its thread, the reference of its locals, and the hits that get the values.
   */
  private waiting:
    | { hits: Hit[]; threadId: unknown; frameId?: unknown; reference?: unknown; isKnown?: boolean }
    | undefined;

  constructor(
    private readonly changed: () => void,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /** Handles a request of VS Code. */
  sent(message: Message): void {
    if (message.type === "request" && message.seq !== undefined && message.command !== undefined) {
      if (/^(initialize|dataBreakpointInfo|set.*Breakpoints|stackTrace|scopes|variables)$/.test(message.command)) {
        this.pending.set(message.seq, { command: message.command, arguments: message.arguments ?? {} });
      }
      if (CHANGES.test(message.command) || message.arguments?.["context"] === "repl") {
        this.waiting = undefined;
      }
    }
  }

  /** Handles a response or an event of the adapter. */
  received(message: Message): void {
    const body = message.body ?? {};
    if (message.type === "response" && message.request_seq !== undefined) {
      const asked = this.pending.get(message.request_seq);
      this.pending.delete(message.request_seq);
      if (asked !== undefined && message.success === true) {
        this.answered(asked.command, asked.arguments, body);
      }
    } else if (message.event === "stopped" && body["preserveFocusHint"] !== true) {
      this.stopped(body);
    } else if (message.event === "invalidated" && this.waiting !== undefined) {
      this.waiting.isKnown = false; // the adapter knows more of them a moment later
    } else if (message.event === "breakpoint") {
      this.located([body["breakpoint"]], {});
    } else if (message.event === "output" && body["source"] !== undefined) {
      this.logged(body);
    }
  }

  private answered(command: string, asked: Record<string, unknown>, body: Record<string, unknown>): void {
    const waiting = this.waiting;
    if (command === "initialize") {
      for (const each of list(body["exceptionBreakpointFilters"]).map(record)) {
        this.names.set(String(each["filter"]), String(each["label"]));
      }
    } else if (command === "dataBreakpointInfo") {
      this.names.set(String(body["dataId"]), String(body["description"]));
    } else if (command.startsWith("set")) {
      this.located(list(body["breakpoints"]), asked);
    } else if (waiting === undefined) {
      return;
    } else if (command === "stackTrace" && asked["threadId"] === waiting.threadId) {
      waiting.frameId ??= record(list(body["stackFrames"])[0])["id"];
    } else if (command === "scopes" && asked["frameId"] === waiting.frameId) {
      const locals = list(body["scopes"]).map(record).find((each) => each["presentationHint"] === "locals");
      waiting.reference = locals?.["variablesReference"];
    } else if (command === "variables" && asked["variablesReference"] === waiting.reference && waiting.isKnown !== true) {
      const values = list(body["variables"])
        .map(record)
        .slice(0, MOST_VALUES)
        .map((each) => `${String(each["name"])} = ${String(each["value"])}`);
      for (const hit of waiting.hits) {
        hit.values = values;
      }
      waiting.isKnown = true;
      this.changed();
    }
  }

  private located(breakpoints: readonly unknown[], asked: Record<string, unknown>): void {
    const wanted = [...list(asked["breakpoints"]), ...list(asked["filters"]), ...list(asked["filterOptions"])];
    const names = new Map<number, string>(); // several filters may belong to one breakpoint
    for (const [index, each] of breakpoints.map(record).entries()) {
      const id = each["id"];
      if (typeof id !== "number") {
        continue;
      }
      const known = this.locations.get(id);
      const path = text(record(each["source"] ?? asked["source"])["path"]) ?? known?.path;
      const line = typeof each["line"] === "number" ? each["line"] : known?.line;
      const name = [names.get(id), this.nameOf(wanted[index])].filter((part) => part !== undefined).join(", ") || undefined;
      if (name !== undefined) {
        names.set(id, name);
      }
      const place = path === undefined ? undefined : `${basename(path)}:${String(line)}`;
      this.locations.set(id, { path, line, label: name ?? place ?? known?.label ?? `breakpoint ${String(id)}` });
    }
  }

  /** Returns the name of a requested breakpoint, if it is not named by its line. */
  private nameOf(asked: unknown): string | undefined {
    const { name, dataId, filterId, condition, instructionReference } = record(asked);
    const key = text(asked) ?? text(dataId) ?? text(filterId);
    const known = key === undefined ? undefined : (this.names.get(key) ?? key);
    const types = typeof filterId === "string" && typeof condition === "string" ? `: ${condition}` : "";
    return text(name) ?? (known === undefined ? text(instructionReference) : known + types);
  }

  private stopped(body: Record<string, unknown>): void {
    const ids = list(body["hitBreakpointIds"]).filter((each) => typeof each === "number");
    const hits = ids.map((id) => {
      const found = this.locations.get(id) ?? { path: undefined, line: undefined, label: `breakpoint ${String(id)}` };
      return this.hit(found.label, found.path, found.line, []);
    });
    this.waiting = hits.length === 0 ? undefined : { hits, threadId: body["threadId"] };
  }

  private logged(body: Record<string, unknown>): void {
    const path = text(record(body["source"])["path"]);
    const line = typeof body["line"] === "number" ? body["line"] : undefined;
    // Output of the program itself has no source.
    if (path !== undefined && body["category"] === "stdout") {
      // eslint-disable-next-line no-control-regex -- the adapter dims its own lines
      const said = String(body["output"]).replaceAll(/\u001b\[\d*m/g, "").trimEnd();
      this.hit(`${basename(path)}:${String(line)}`, path, line, [said]);
    }
  }

  private hit(label: string, path: string | undefined, line: number | undefined, values: readonly string[]): Hit {
    const key = `${path ?? ""} ${label}`;
    let place = this.places.get(key);
    if (place === undefined) {
      place = { label, path, line, count: 0, recent: [] };
      if (this.places.size < MOST_PLACES) {
        this.places.set(key, place);
      }
    }
    place.count++;
    const hit: Hit = { number: ++this.hits, time: this.now(), values };
    place.recent.unshift(hit);
    place.recent.length = Math.min(place.recent.length, MOST_RECENT);
    this.changed();
    return hit;
  }
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

type Node = { readonly place: Place } | { readonly hit: Hit } | { readonly value: string };

/** The view of the newest session. */
export class HitsView implements vscode.TreeDataProvider<Node>, vscode.DebugAdapterTrackerFactory, vscode.Disposable {
  private recorder: HitRecorder | undefined;
  private readonly changes = new vscode.EventEmitter<undefined>();
  private timer: NodeJS.Timeout | undefined;
  readonly onDidChangeTreeData = this.changes.event;

  dispose(): void {
    clearTimeout(this.timer);
    this.changes.dispose();
  }

  createDebugAdapterTracker(): vscode.DebugAdapterTracker {
    const recorder = new HitRecorder(() => {
      this.showSoon();
    });
    this.recorder = recorder;
    this.showSoon();
    return {
      onWillReceiveMessage: (message: Message) => {
        recorder.sent(message);
      },
      onDidSendMessage: (message: Message) => {
        recorder.received(message);
      },
    };
  }

  /** Resets the counts to zero. */
  clear(): void {
    this.recorder?.places.clear();
    this.showSoon();
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) {
      return [...(this.recorder?.places.values() ?? [])].map((place) => ({ place }));
    }
    if ("place" in node) {
      return node.place.recent.map((hit) => ({ hit }));
    }
    return "hit" in node && node.hit.values.length > 1 ? node.hit.values.map((value) => ({ value })) : [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return readAloud("value" in node ? new vscode.TreeItem(node.value) : "hit" in node ? hitItem(node.hit) : placeItem(node.place));
  }

  /** Updates the view at most ten times a second, because a log point in a loop is hit often. */
  private showSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.changes.fire(undefined);
      void vscode.commands.executeCommand("setContext", HAS_HITS, (this.recorder?.places.size ?? 0) > 0);
    }, 100);
  }
}

/** A row keeps its id, so that a new hit above it takes neither the focus nor what is open. */
function hitItem({ number, time, values }: Hit): vscode.TreeItem {
  const { None, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(clock(time), values.length > 1 ? Collapsed : None);
  item.id = `hit ${String(number)}`;
  item.description = values.join(", ");
  return item;
}

function placeItem({ label, count, recent, path, line }: Place): vscode.TreeItem {
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `place ${path ?? ""} ${label}`;
  const last = recent[0];
  const values = last === undefined || last.values.length === 0 ? "" : ` · ${last.values.join(", ")}`;
  item.description = `${String(count)}× · ${last === undefined ? "" : clock(last.time)}${values}`;
  item.tooltip = [label, ...(last?.values ?? [])].join("\n");
  item.iconPath = new vscode.ThemeIcon("debug-breakpoint");
  if (path !== undefined && line !== undefined) {
    const selection = new vscode.Range(line - 1, 0, line - 1, 0);
    item.command = { title: "Open", command: "vscode.open", arguments: [vscode.Uri.file(path), { selection }] };
  }
  return item;
}

function clock(time: Date): string {
  return time.toTimeString().slice(0, 8);
}
