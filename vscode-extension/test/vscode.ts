// SPDX-License-Identifier: Apache-2.0
// A stand-in for the parts of the `vscode` module that the tested code calls.

import { vi } from "vitest";

export const window = {
  activeTextEditor: undefined as unknown,
  showWarningMessage: vi.fn(),
  showInformationMessage: vi.fn(),
  setStatusBarMessage: vi.fn(),
  showOpenDialog: vi.fn(),
  showErrorMessage: vi.fn(() => Promise.resolve(undefined as string | undefined)),
  showInputBox: vi.fn(),
  showQuickPick: vi.fn(),
  createQuickPick: vi.fn(),
  createStatusBarItem: vi.fn(),
  withProgress: vi.fn(),
  createWebviewPanel: vi.fn(),
  showSaveDialog: vi.fn(),
};
/** The settings, by their full names; tests delete what they have set. */
export const settings: Record<string, unknown> = {};
/** What was written to settings: their names, values and targets. */
export const written: [name: string, value: unknown, target: number][] = [];
export const workspace = {
  workspaceFolders: undefined as unknown,
  getConfiguration: vi.fn((section: string): unknown => ({
    get: (name: string, otherwise?: unknown) => settings[`${section}.${name}`] ?? otherwise,
    inspect: (name: string) => ({ workspaceValue: settings[`${section}.${name}`] }),
    update: (name: string, value: unknown, target: number) => {
      written.push([`${section}.${name}`, value, target]);
      settings[`${section}.${name}`] = value;
      return Promise.resolve();
    },
  })),
  createFileSystemWatcher: vi.fn(),
  getWorkspaceFolder: vi.fn(),
  findFiles: vi.fn(() => Promise.resolve([] as unknown[])),
  fs: { readFile: vi.fn() },
  asRelativePath: vi.fn(),
  openTextDocument: vi.fn(),
  onDidSaveTextDocument: vi.fn(),
  onDidChangeConfiguration: vi.fn(),
  textDocuments: [] as unknown[],
};
export const debug = {
  activeDebugSession: undefined as unknown,
  activeStackItem: undefined as unknown,
  startDebugging: vi.fn(),
  activeDebugConsole: { appendLine: vi.fn() },
  onDidStartDebugSession: vi.fn(),
  onDidTerminateDebugSession: vi.fn(),
  onDidChangeActiveDebugSession: vi.fn(),
  onDidReceiveDebugSessionCustomEvent: vi.fn(),
};
export const env = { clipboard: { writeText: vi.fn() }, openExternal: vi.fn(), remoteName: undefined as string | undefined };
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 };
export class CancellationTokenSource {
  private readonly listeners: (() => void)[] = [];
  readonly token = {
    isCancellationRequested: false,
    onCancellationRequested: (listener: () => void) => {
      this.listeners.push(listener);
      return { dispose: () => undefined };
    },
  };
  cancel(): void {
    this.token.isCancellationRequested = true;
    this.listeners.forEach((each) => {
      each();
    });
  }
  readonly dispose = () => undefined;
}
export const extensions = { getExtension: vi.fn((): unknown => undefined) };
export const commands = { executeCommand: vi.fn() };
export class DebugStackFrame {
  constructor(readonly frameId: number) {}
}
export class DebugAdapterExecutable {
  constructor(
    readonly command: string,
    readonly args: string[],
    readonly options?: { env?: Record<string, string> },
  ) {}
}
export class RelativePattern {
  constructor(
    readonly base: unknown,
    readonly pattern: string,
  ) {}
}
export const Uri = {
  from: ({ scheme, path }: { scheme: string; path: string }) => ({ toString: () => `${scheme}:${path}` }),
  file: (fsPath: string) => ({ fsPath }),
  joinPath: ({ fsPath }: { fsPath: string }, ...names: string[]) => ({ fsPath: [fsPath, ...names].join("/") }),
};
export class Location {
  constructor(
    readonly uri: unknown,
    readonly range: unknown,
  ) {}
}
export class TestMessage {
  expectedOutput?: string;
  actualOutput?: string;
  location?: Location;
  constructor(readonly message: string) {}
  static diff(message: string, expectedOutput: string, actualOutput: string): TestMessage {
    return Object.assign(new TestMessage(message), { expectedOutput, actualOutput });
  }
}
export const TestRunProfileKind = { Run: 1, Debug: 2, Coverage: 3 };
export class TestCoverageCount {
  constructor(
    readonly covered: number,
    readonly total: number,
  ) {}
}
export class FileCoverage {
  constructor(
    readonly uri: unknown,
    readonly statementCoverage: TestCoverageCount,
    readonly branchCoverage?: TestCoverageCount,
    readonly declarationCoverage?: TestCoverageCount,
  ) {}
}
export class StatementCoverage {
  constructor(
    readonly executed: boolean,
    readonly location: unknown,
    readonly branches: unknown[],
  ) {}
}
export class BranchCoverage {
  constructor(
    readonly executed: boolean,
    readonly location: unknown,
  ) {}
}
export class DeclarationCoverage {
  constructor(
    readonly name: string,
    readonly executed: boolean,
    readonly location: unknown,
  ) {}
}

/** Items of a Test Explorer by their ids. */
export class TestItems {
  private readonly found = new Map<string, TestItem>();
  constructor(private readonly parent: TestItem | undefined) {}
  get size(): number {
    return this.found.size;
  }
  get = (id: string) => this.found.get(id);
  add(item: TestItem): void {
    item.parent = this.parent;
    this.found.set(item.id, item);
  }
  delete = (id: string) => this.found.delete(id);
  replace(items: TestItem[]): void {
    this.found.clear();
    for (const each of items) {
      this.add(each);
    }
  }
  [Symbol.iterator] = () => this.found[Symbol.iterator]();
}
export class TestItem {
  parent: TestItem | undefined;
  readonly children = new TestItems(this);
  range?: Range;
  description?: string;
  constructor(
    readonly id: string,
    public label: string,
    readonly uri?: unknown,
  ) {}
}
export class TestController {
  readonly items = new TestItems(undefined);
  createTestItem = (id: string, label: string, uri?: unknown) => new TestItem(id, label, uri);
}
export class Range {
  constructor(
    readonly line: number,
    readonly column: number,
    readonly endLine: number,
    readonly endColumn: number,
  ) {}
  get start(): { line: number; character: number } {
    return { line: this.line, character: this.column };
  }
  get end(): { line: number; character: number } {
    return { line: this.endLine, character: this.endColumn };
  }
}
export class CodeLens {
  constructor(
    readonly range: Range,
    readonly command: { title: string; command: string; arguments: unknown[] },
  ) {}
}
export const ViewColumn = { Active: -1 };
export const ProgressLocation = { Notification: 15 };
export class EventEmitter {
  readonly fire = vi.fn();
  readonly event = vi.fn();
  readonly dispose = vi.fn();
}
export class TreeItem {
  description = "";
  constructor(
    readonly label: string,
    readonly collapsibleState: number,
  ) {}
}
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export class SnippetString {
  value = "";
  appendText(text: string): this {
    this.value += text;
    return this;
  }
  appendPlaceholder(text: string): this {
    this.value += `[${text}]`;
    return this;
  }
  appendTabstop(number: number): this {
    this.value += `$${String(number)}`;
    return this;
  }
}
export class ThemeIcon {
  constructor(readonly id: string) {}
}
export class ThemeColor {
  constructor(readonly id: string) {}
}
export const languages = { createDiagnosticCollection: vi.fn() };
export const StatusBarAlignment = { Left: 1 };
export const DiagnosticSeverity = { Error: 0, Warning: 1 };
export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
  translate(): this {
    return this;
  }
}
export class MarkdownString {
  value = "";
  isTrusted: unknown;
  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }
  appendText(text: string): this {
    return this.appendMarkdown(text);
  }
}
export class Hover {
  constructor(readonly contents: MarkdownString) {}
}
export class Diagnostic {
  source = "";
  constructor(
    readonly range: unknown,
    readonly message: string,
    readonly severity: number,
  ) {}
}

export class EvaluatableExpression {
  constructor(
    readonly range: Range,
    readonly expression: string,
  ) {}
}
export class InlineValueText {
  constructor(
    readonly range: Range,
    readonly text: string,
  ) {}
}

/** The picker that the tested code shows next. */
export function quickPick() {
  const listeners = { accept: [] as (() => void)[], hide: [] as (() => void)[] };
  const picker = {
    title: "",
    placeholder: "",
    busy: false,
    isShown: false,
    items: [] as unknown[],
    buttons: [] as unknown[],
    selectedItems: [] as unknown[],
    onDidChangeValue: vi.fn(),
    onDidTriggerButton: vi.fn(),
    onDidAccept: (listener: () => void) => listeners.accept.push(listener),
    onDidHide: (listener: () => void) => listeners.hide.push(listener),
    show: () => {
      picker.isShown = true;
    },
    hide: () => {
      listeners.hide.forEach((each) => {
        each();
      });
    },
    dispose: vi.fn(),
    accept: (item: unknown) => {
      picker.selectedItems = [item];
      listeners.accept.forEach((each) => {
        each();
      });
    },
  };
  window.createQuickPick.mockReturnValue(picker);
  return picker;
}
