// SPDX-License-Identifier: Apache-2.0
// Tells VS Code what to evaluate when the mouse is over a name of a stopped program: `cart.owner`
// over the `owner` of `cart.owner.name`, and a call that is selected, which our adapter evaluates if
// that only reads. Nothing in comments and string literals.

import * as vscode from "vscode";

import { selectedCall } from "./commands/evaluate";
import { isOurs } from "./ours";

const NAMES = /[A-Za-z_$][\w$]*(?:\s*\.\s*[A-Za-z_$][\w$]*)*/g;
const NO_VALUES = new Set(
  ("abstract assert boolean break byte case catch char class const continue default do double else enum extends final finally " +
    "float for goto if implements import instanceof int interface long native new null package private protected public " +
    "return short static strictfp super switch synchronized throw throws transient try void volatile while true false").split(" "),
);

const TEXTS = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"""[\s\S]*?(?:(?<!\\)"""|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?/g;

/** Replaces comments and literals by spaces, so that positions stay the same. */
function withoutTexts(text: string): string {
  return text.replace(TEXTS, (found) => found.replace(/[^\n]/g, " "));
}

/**
 * Returns the columns of the expression that ends with the name at a column; nothing if it has no
 * value of its own.
 */
export function expressionAt(line: string, column: number): { begin: number; end: number } | undefined {
  for (const found of line.matchAll(NAMES)) {
    const begin = found.index;
    if (column < begin || column > begin + found[0].length) {
      continue;
    }
    const rest = /^[\w$]*/.exec(line.slice(column))?.[0].length ?? 0;
    const end = column + rest;
    const text = line.slice(begin, end);
    const isCall = /^\s*\(/.test(line.slice(end));
    const isPart = /\.\s*$/.test(line.slice(0, begin)); // a member of the result of a call or an index
    if (text.trim() === "" || /\.\s*$/.test(text) || isCall || isPart || NO_VALUES.has(text)) {
      return undefined;
    }
    return { begin, end };
  }
  return undefined;
}

export class Hovers implements vscode.EvaluatableExpressionProvider {
  provideEvaluatableExpression(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): vscode.EvaluatableExpression | undefined {
    if (!isOurs()) {
      return undefined;
    }
    const selected = selectedCall(document, position);
    if (selected !== undefined) {
      return new vscode.EvaluatableExpression(selected, document.getText(selected));
    }
    const line = withoutTexts(document.getText()).split("\n")[position.line] ?? "";
    const found = expressionAt(line, position.character);
    if (found === undefined) {
      return undefined;
    }
    const range = new vscode.Range(position.line, found.begin, position.line, found.end);
    return new vscode.EvaluatableExpression(range, document.getText(range).replace(/\s+/g, ""));
  }
}
