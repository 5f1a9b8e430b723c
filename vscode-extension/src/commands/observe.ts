// SPDX-License-Identifier: Apache-2.0
// Traces calls of methods and writes to fields in the debug console while the program runs; the
// status bar stops the traces.

import * as vscode from "vscode";

import { core } from "../sources/core";
import { plain } from "../plain";
import { isSource } from "../sources/mainClasses";
import { activeSession, showError } from "./session";

const ENDED = "jvmdebug/observationEnded";
const METHOD = /^[\w$.*]+#(<init>|[\w$*]+)(\(.*\))?$/;
const FIELD = /^[\w$]+(\.[\w$]+)+$/;

interface Observation {
  readonly observation: number;
  readonly title: string;
}

/** The argument that VS Code passes to a command in the menu of a variable. */
export interface VariableContext {
  readonly container?: { readonly variablesReference?: number };
  readonly variable?: { readonly name?: string };
}

/** The running traces of each session. */
export class Observations implements vscode.Disposable {
  private readonly running = new Map<string, { session: vscode.DebugSession; found: Observation[] }>();
  private readonly status = vscode.window.createStatusBarItem("jvmdebug.observing", vscode.StatusBarAlignment.Left);
  private readonly subscriptions: vscode.Disposable[];

  constructor() {
    this.status.name = "jvmdebug: traces";
    this.status.command = "jvmdebug.stopObserving";
    this.subscriptions = [
      this.status,
      vscode.debug.onDidReceiveDebugSessionCustomEvent(({ event, session, body }) => {
        if (event === ENDED && session.type === "jvmdebug") {
          this.ended(session, (body as Observation).observation);
        }
      }),
      vscode.debug.onDidTerminateDebugSession((session) => {
        this.running.delete(session.id);
        this.show();
      }),
    ];
  }

  dispose(): void {
    for (const each of this.subscriptions) {
      each.dispose();
    }
  }

  /** The command that traces the method of the selected frame, or one that the user types. */
  async traceMethod(): Promise<void> {
    const session = activeSession();
    if (session === undefined) {
      return;
    }
    const item = vscode.debug.activeStackItem;
    const frame = item instanceof vscode.DebugStackFrame ? item.frameId : undefined;
    const method = await vscode.window.showInputBox({
      title: "Trace a Method",
      prompt: "Each call appears in the Debug Console, with arguments, result and time. The program does not stop.",
      placeHolder: frame === undefined ? "shop.Cart#add, or shop.Cart#* for all methods" : "Empty: the method of the selected frame",
      value: await atCursor("method"),
      validateInput: (typed) =>
        METHOD.test(typed.trim()) || (typed.trim() === "" && frame !== undefined)
          ? undefined
          : "Type the class, # and the method: shop.Cart#add, shop.Cart#add(int), shop.Cart#<init>, shop.Cart#*",
    });
    if (method === undefined) {
      return;
    }
    const asked = method.trim() === "" ? { frameId: frame } : { method: method.trim() };
    await this.begin(session, "jvmdebug/trace", asked);
  }

  /** The command that traces writes to a field, in the menu of a variable or of the editor. */
  async whoSets(context?: VariableContext): Promise<void> {
    const session = activeSession();
    if (session === undefined) {
      return;
    }
    const variablesReference = context?.container?.variablesReference;
    const name = context?.variable?.name;
    if (variablesReference !== undefined && name !== undefined) {
      await this.begin(session, "jvmdebug/whoSets", { variablesReference, name });
      return;
    }
    const field = await vscode.window.showInputBox({
      title: "Who Changes a Field",
      prompt: "Each write appears in the Debug Console, with old and new value and its place. The program does not stop.",
      placeHolder: "shop.Customer.name",
      value: await atCursor("field"),
      validateInput: (typed) => (FIELD.test(typed.trim()) ? undefined : "Type the full name of a class, and a field of it: shop.Customer.name"),
    });
    if (field !== undefined) {
      await this.begin(session, "jvmdebug/whoSets", { field: field.trim() });
    }
  }

  /** The command that stops all traces, or the one that is picked. */
  async stop(): Promise<void> {
    const all = [...this.running.values()].flatMap(({ session, found }) => found.map((each) => ({ session, ...each })));
    if (all.length === 0) {
      vscode.window.setStatusBarMessage("jvmdebug: nothing is traced", 5000);
      return;
    }
    const items = all.map((each) => ({ label: plain(each.title), description: plain(each.session.name), each }));
    const [only] = items;
    const chosen = items.length === 1 ? only : await vscode.window.showQuickPick(items, { title: "Stop" });
    try {
      await chosen?.each.session.customRequest("jvmdebug/stopObserving", { observation: chosen.each.observation });
    } catch (error) {
      showError(error);
    }
  }

  private async begin(session: vscode.DebugSession, request: string, asked: object): Promise<void> {
    try {
      const begun = (await session.customRequest(request, asked)) as Observation;
      const known = this.running.get(session.id) ?? { session, found: [] };
      known.found.push(begun);
      this.running.set(session.id, known);
      this.show();
      await vscode.commands.executeCommand("workbench.debug.action.focusRepl");
    } catch (error) {
      showError(error);
    }
  }

  private ended(session: vscode.DebugSession, observation: number): void {
    const known = this.running.get(session.id);
    if (known !== undefined) {
      known.found = known.found.filter((each) => each.observation !== observation);
      this.show();
    }
  }

  private show(): void {
    const titles = [...this.running.values()].flatMap(({ found }) => found.map(({ title }) => title));
    if (titles.length === 0) {
      this.status.hide();
      return;
    }
    this.status.text = `$(eye) ${titles.length === 1 ? plain(titles[0] ?? "") : `${String(titles.length)} traces`}`;
    this.status.tooltip = `${titles.join("\n")}\nPress to stop.`;
    this.status.show();
  }
}

/** Returns the method or field at the cursor by its name in the VM; empty if there is none. */
async function atCursor(what: "method" | "field"): Promise<string> {
  const { document, selection } = vscode.window.activeTextEditor ?? {};
  if (!isSource(document) || selection === undefined) {
    return "";
  }
  const range = document.getWordRangeAtPosition(selection.active);
  const word = range === undefined ? undefined : document.getText(range);
  return core.at<string>(what, document, selection.active.line, word).catch(() => "");
}
