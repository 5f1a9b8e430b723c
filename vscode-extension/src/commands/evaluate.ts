// SPDX-License-Identifier: Apache-2.0
// The evaluate window: a scratch editor for several lines of Java, completed and evaluated in the selected frame. And what
// the mouse shows over a selected call: its value if computing it only reads, else a link that runs it.

import * as vscode from "vscode";

import { isOurs } from "../ours";
import { selectedFrame } from "../views/evaluated";

const SCHEME = "untitled";
const NAME = "Evaluate.java";
const HINT =
  "// Ctrl+Enter evaluates all of it, or what is selected,\n// in the frame that is selected in the Call Stack.\n";
export const SCRATCH: vscode.DocumentFilter = { scheme: SCHEME, pattern: `**/${NAME}` };

interface Completion {
  readonly label: string;
  readonly text?: string;
  readonly detail?: string;
  readonly start?: number;
  readonly length?: number;
}

/** Opens the evaluate window, with what is selected in the active editor below what was typed there before. */
export async function openEvaluate(): Promise<void> {
  const uri = vscode.Uri.from({ scheme: SCHEME, path: NAME });
  const active = vscode.window.activeTextEditor;
  const isElsewhere = active !== undefined && active.document.uri.toString() !== uri.toString();
  const selected = isElsewhere ? active.document.getText(active.selection) : "";
  const document = await vscode.workspace.openTextDocument(uri);
  const editor = await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Active, preview: false });
  const typed = document.getText();
  const before = typed === "" ? HINT : typed.endsWith("\n") ? "" : "\n";
  if (typed !== "" && selected === "") {
    return;
  }
  // What was typed before stays above; what was taken along is selected, so that Ctrl+Enter evaluates that alone. A snippet
  // moves the cursor together with the text: what is typed meanwhile comes behind it.
  const snippet = new vscode.SnippetString().appendText(before);
  const { end } = document.lineAt(document.lineCount - 1).range;
  await editor.insertSnippet(selected === "" ? snippet.appendTabstop(0) : snippet.appendPlaceholder(selected), end);
}

/** The text to evaluate: what is selected, else all of the document without the hint. */
export function textToEvaluate(all: string, selected: string): string {
  return selected.trim() === "" ? all.replace(HINT, "") : selected;
}

export class ScratchCompletions implements vscode.CompletionItemProvider {
  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionItem[]> {
    const session = vscode.debug.activeDebugSession;
    if (!isOurs() || session === undefined) {
      return [];
    }
    const about = {
      text: document.getText(),
      line: position.line + 1,
      column: position.character + 1,
      ...selectedFrame(session),
    };
    try {
      const { targets } = (await session.customRequest("completions", about)) as { targets: Completion[] };
      return targets.map(({ label, text, detail }) => {
        const item = new vscode.CompletionItem(detail === undefined ? label : { label, description: detail });
        item.insertText = text ?? label;
        return item;
      });
    } catch {
      return [];
    }
  }
}

/** Tells over a selected call why it is not evaluated, with a link that does it. */
export class SelectionHovers implements vscode.HoverProvider {
  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const session = vscode.debug.activeDebugSession;
    const range = selectedCall(document, position);
    if (!isOurs() || session === undefined || range === undefined) {
      return undefined;
    }
    const expression = document.getText(range);
    try {
      await session.customRequest("evaluate", { expression, context: "hover", ...selectedFrame(session) });
      return undefined; // the debugger's own hover shows it
    } catch (error) {
      const text = new vscode.MarkdownString();
      text.isTrusted = { enabledCommands: ["jvmdebug.evaluateText"] };
      const about = encodeURIComponent(JSON.stringify([expression]));
      text.appendText(error instanceof Error ? error.message : String(error));
      text.appendMarkdown(`\n\n[Evaluate](command:jvmdebug.evaluateText?${about}), which runs it in the program`);
      return new vscode.Hover(text, range);
    }
  }
}

/** The selection of the active editor at a position, if it is in one line and a call. */
export function selectedCall(document: vscode.TextDocument, position: vscode.Position): vscode.Range | undefined {
  const editor = vscode.window.activeTextEditor;
  const selection = editor?.document === document ? editor.selection : undefined;
  if (selection === undefined || !selection.isSingleLine || !selection.contains(position)) {
    return undefined;
  }
  return document.getText(selection).includes("(") ? selection : undefined;
}
