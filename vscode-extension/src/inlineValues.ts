// SPDX-License-Identifier: Apache-2.0
// Tells VS Code what to show at the ends of lines while a program is stopped. The core finds the names in the method, from
// its head to the line of the stop; our adapter knows which of them are in scope in their lines, and their values.

import * as vscode from "vscode";

import { isOurs } from "./ours";
import { setting } from "./settings";
import { core } from "./sources/core";

/** The position of a name; its line counts from 1. */
interface Name {
  readonly name: string;
  readonly line: number;
  readonly column: number;
}

export class InlineValues implements vscode.InlineValuesProvider {
  async provideInlineValues(
    document: vscode.TextDocument,
    viewPort: vscode.Range,
    context: vscode.InlineValueContext,
  ): Promise<vscode.InlineValue[]> {
    const session = vscode.debug.activeDebugSession;
    if (!isOurs() || session === undefined || setting<unknown>("inlineValues", true, session.workspaceFolder) === false) {
      return [];
    }
    const last = Math.min(context.stoppedLocation.end.line, viewPort.end.line);
    const named = await core.at<Name[]>("names", document, last).catch(() => []);
    const shown = named.filter(({ line }) => line > viewPort.start.line);
    const about = { frameId: context.frameId, names: shown.map(({ name, line }) => ({ name, line })) };
    const values = await this.ask(session, about);
    return shown.flatMap(({ name, line, column }, at) => {
      const value = values[at];
      const range = new vscode.Range(line - 1, column, line - 1, column + name.length);
      return value == null ? [] : [new vscode.InlineValueText(range, `${name} = ${value}`)];
    });
  }

  /** The texts of the values; none if the program runs again. */
  private async ask(session: vscode.DebugSession, about: { names: object[] }): Promise<(string | null)[]> {
    if (about.names.length === 0) {
      return [];
    }
    try {
      const answer = (await session.customRequest("jvmdebug/inlineValues", about)) as { values: (string | null)[] };
      return answer.values;
    } catch {
      return [];
    }
  }
}
