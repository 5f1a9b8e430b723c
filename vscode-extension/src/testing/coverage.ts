// SPDX-License-Identifier: Apache-2.0
// What the tests of a run have run, as VS Code shows it: shares in the Test Coverage view, marks in
// the editor's gutter. Made of the event `jvmdebug/coverage`.

import { isAbsolute, relative } from "node:path";
import * as vscode from "vscode";

interface CoveredLine {
  readonly line: number;
  readonly hasRun: boolean;
  /** Tells for each branch in the line whether it went each of its ways. */
  readonly branches: readonly (readonly boolean[])[];
}

interface CoveredMethod {
  readonly name: string;
  readonly line: number;
  readonly hasRun: boolean;
}

interface CoveredFileBody {
  readonly path: string;
  readonly lines: readonly CoveredLine[];
  readonly methods: readonly CoveredMethod[];
}

/** The body of `jvmdebug/coverage`. */
export interface Coverage {
  readonly isComplete: boolean;
  readonly files: readonly CoveredFileBody[];
  /** The lines of a file that a test has run, if the run tells tests apart. */
  readonly tests?: readonly { readonly test: string; readonly path: string; readonly lines: readonly number[] }[];
}

/** A line of a source file, from 1. */
export interface RunLine {
  readonly path: string;
  readonly line: number;
}

const MOST_SHOWN = 20;

/**
 * Shows the tests that ran a line when the mouse is over it, and runs them on a click. A file whose
 * text changes is forgotten: its lines are others then.
 */
export class LineTests implements vscode.HoverProvider {
  /** The tests by file and line, from 1. */
  private readonly files = new Map<string, Map<number, string[]>>();

  /** Takes the results of a run in place of those before. */
  update({ files, tests = [] }: Coverage): void {
    if (tests.length === 0) {
      return;
    }
    for (const { path } of files) {
      this.files.set(path, new Map());
    }
    for (const { test, path, lines } of tests) {
      const byLine = this.files.get(path);
      for (const line of lines) {
        const known = byLine?.get(line);
        if (known === undefined) {
          byLine?.set(line, [test]);
        } else {
          known.push(test);
        }
      }
    }
  }

  forget(file: string): void {
    this.files.delete(file);
  }

  /** The tests that ran a line, from 1. */
  testsOf({ path, line }: RunLine): readonly string[] {
    return this.files.get(path)?.get(line) ?? [];
  }

  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    const at: RunLine = { path: document.uri.fsPath, line: position.line + 1 };
    const tests = this.testsOf(at);
    if (tests.length === 0) {
      return undefined;
    }
    const text = new vscode.MarkdownString();
    text.isTrusted = { enabledCommands: ["jvmdebug.runCovering"] };
    const link = `command:jvmdebug.runCovering?${encodeURIComponent(JSON.stringify([at]))}`;
    text.appendMarkdown(`Run by ${tests.length === 1 ? "one test" : `${String(tests.length)} tests`} ([run again](${link})):\n\n`);
    for (const each of tests.slice(0, MOST_SHOWN)) {
      text.appendMarkdown("- ");
      text.appendText(each);
      text.appendMarkdown("\n");
    }
    if (tests.length > MOST_SHOWN) {
      text.appendMarkdown(`- … ${String(tests.length - MOST_SHOWN)} more`);
    }
    return new vscode.Hover(text);
  }
}

/** A source file, and what of it has run. */
export class CoveredFile extends vscode.FileCoverage {
  constructor(private readonly body: CoveredFileBody) {
    const ways = body.lines.flatMap((each) => each.branches.flat());
    super(
      vscode.Uri.file(body.path),
      counted(body.lines.map((each) => each.hasRun)),
      ways.length > 0 ? counted(ways) : undefined,
      counted(body.methods.map((each) => each.hasRun)),
    );
  }

  details(): vscode.FileCoverageDetail[] {
    return [
      ...this.body.lines.map(
        (each) =>
          new vscode.StatementCoverage(
            each.hasRun,
            wholeLine(each.line),
            each.branches.flat().map((isTaken) => new vscode.BranchCoverage(isTaken, wholeLine(each.line))),
          ),
      ),
      ...this.body.methods.map(
        (each) => new vscode.DeclarationCoverage(each.name, each.hasRun, wholeLine(each.line)),
      ),
    ];
  }
}

/** Shows what has run, without the tests themselves: `tests` are their folders. */
export function showCoverage(run: vscode.TestRun, { files }: Coverage, tests: readonly string[]): void {
  for (const each of files) {
    if (!tests.some((folder) => isIn(folder, each.path))) {
      run.addCoverage(new CoveredFile(each));
    }
  }
}

/** Whether a file is in a folder, by the separators of this system. */
function isIn(folder: string, file: string): boolean {
  const path = relative(folder, file);
  return !path.startsWith("..") && !isAbsolute(path);
}

function counted(each: readonly boolean[]): vscode.TestCoverageCount {
  return new vscode.TestCoverageCount(each.filter(Boolean).length, each.length);
}

function wholeLine(line: number): vscode.Range {
  return new vscode.Range(line - 1, 0, line - 1, Number.MAX_SAFE_INTEGER);
}
