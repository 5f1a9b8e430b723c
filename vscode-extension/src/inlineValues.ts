// SPDX-License-Identifier: Apache-2.0
// Which variables VS Code shows at the ends of lines while a program is stopped: those that the method names above and
// in the line of the stop. VS Code looks the values up in the scopes of our adapter.

import * as vscode from "vscode";

import { isOurs } from "./ours";
import { variablesAbove } from "./sources/javaSource";

export class InlineValues implements vscode.InlineValuesProvider {
  provideInlineValues(
    document: vscode.TextDocument,
    viewPort: vscode.Range,
    context: vscode.InlineValueContext,
  ): vscode.InlineValue[] {
    if (!isOurs()) {
      return [];
    }
    const last = Math.min(context.stoppedLocation.end.line, viewPort.end.line);
    return variablesAbove(document.getText(), last)
      .filter(({ line }) => line >= viewPort.start.line)
      .map(({ name, line, column }) => {
        const range = new vscode.Range(line, column, line, column + name.length);
        return new vscode.InlineValueVariableLookup(range, name, true);
      });
  }
}
