// SPDX-License-Identifier: Apache-2.0
// Tells VS Code which variables to show at the ends of lines while a program is stopped: those that
// the method names above and in the line of the stop. VS Code looks up the values in the scopes of
// our adapter.

import * as vscode from "vscode";

import { isOurs } from "./ours";
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
    if (!isOurs()) {
      return [];
    }
    const last = Math.min(context.stoppedLocation.end.line, viewPort.end.line);
    const named = await core.at<Name[]>("names", document, last).catch(() => []);
    return named
      .filter(({ line }) => line > viewPort.start.line)
      .map(({ name, line, column }) => {
        const range = new vscode.Range(line - 1, column, line - 1, column + name.length);
        return new vscode.InlineValueVariableLookup(range, name, true);
      });
  }
}
