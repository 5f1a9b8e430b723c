// SPDX-License-Identifier: Apache-2.0
// Lets coding assistants join the debug session, and shows in the status bar who is in.

import * as vscode from "vscode";

import { activeSession, showError } from "./session";

interface Guest {
  readonly name: string;
  readonly kind: string;
  readonly role: string;
}

/** The body of `jvmdebug/guests`. */
export interface GuestsBody {
  readonly name: string;
  readonly assistants: "off" | "read-only" | "debug";
  readonly guests: readonly Guest[];
}

const ROLES = [
  { label: "Read Only", role: "read-only", detail: "It sees stops, stacks, variables and output; it sets and resumes nothing, and runs nothing of the program." },
  { label: "Debug", role: "debug", detail: "It sets breakpoints, steps, resumes and changes values, as you do." },
  { label: "Nobody", role: "off", detail: "No further assistant may join. One that is in stays." },
] as const;
const COPY = "Copy Command";

/** What the status bar shows of a session; undefined if nothing. */
export function mark(body: GuestsBody | undefined): { text: string; tooltip: string; isIn: boolean } | undefined {
  const assistants = body?.guests.filter((each) => each.kind === "assistant") ?? [];
  const others = body?.guests.filter((each) => each.kind !== "assistant") ?? [];
  const tooltip = (body?.guests ?? []).map((each) => `${each.name}: ${each.role}`).join("\n");
  if (assistants.length > 0) {
    const role = assistants.some((each) => each.role === "debug") ? "may debug" : "may look";
    return { text: `$(sparkle) Assistant is in, ${role}`, tooltip, isIn: true };
  }
  if (others.length > 0) {
    return { text: `$(account) ${others.map((each) => each.kind).join(", ")} joined`, tooltip, isIn: false };
  }
  return undefined;
}

/** The guests of each session, and their mark. */
export class Guests implements vscode.Disposable {
  private readonly known = new Map<string, GuestsBody>();
  private readonly status = vscode.window.createStatusBarItem("jvmdebug.guests", vscode.StatusBarAlignment.Left);
  private readonly subscriptions: vscode.Disposable[];

  constructor() {
    this.status.name = "jvmdebug: who has joined the session";
    this.status.command = "jvmdebug.letAssistantJoin";
    this.subscriptions = [
      this.status,
      vscode.debug.onDidReceiveDebugSessionCustomEvent(({ event, session, body }) => {
        if (event === "jvmdebug/guests" && session.type === "jvmdebug") {
          this.known.set(session.id, body as GuestsBody);
          this.show();
        }
      }),
      vscode.debug.onDidTerminateDebugSession((session) => {
        this.known.delete(session.id);
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

  /** The command: asks for the role, and says how an assistant joins. */
  async letAssistantJoin(): Promise<void> {
    const session = activeSession();
    if (session === undefined) {
      return;
    }
    const chosen = await vscode.window.showQuickPick(ROLES, {
      title: "Let an Assistant Join This Session",
      placeHolder: "What may it do?",
    });
    if (chosen === undefined) {
      return;
    }
    try {
      const body = (await session.customRequest("jvmdebug/letJoin", { assistants: chosen.role })) as GuestsBody;
      this.known.set(session.id, body);
      this.show();
      if (chosen.role !== "off") {
        const command = `jvmdebug mcp --join ${body.name}`;
        const pressed = await vscode.window.showInformationMessage(`An assistant joins this session with: ${command}`, COPY);
        if (pressed === COPY) {
          await vscode.env.clipboard.writeText(command);
        }
      }
    } catch (error) {
      showError(error);
    }
  }

  private show(): void {
    const session = vscode.debug.activeDebugSession;
    const shown = mark(session === undefined ? undefined : this.known.get(session.id));
    if (shown === undefined) {
      this.status.hide();
      return;
    }
    this.status.text = shown.text;
    this.status.tooltip = shown.tooltip;
    this.status.backgroundColor = shown.isIn ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    this.status.show();
  }
}
