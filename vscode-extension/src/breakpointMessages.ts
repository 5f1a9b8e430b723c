// SPDX-License-Identifier: Apache-2.0
// Shows at its line, and in Problems, why a breakpoint stops nowhere: VS Code shows the message of the adapter only below the
// mouse. It only reads the messages between VS Code and the adapter, and sends none.

import * as vscode from "vscode";

interface Shown {
  readonly id?: number;
  readonly verified: boolean;
  readonly reason?: string;
  readonly message?: string;
  readonly line?: number;
}

interface Message {
  readonly type: string;
  readonly seq?: number;
  readonly request_seq?: number;
  readonly command?: string;
  readonly event?: string;
  readonly arguments?: { readonly source?: { readonly path?: string } };
  readonly body?: { readonly breakpoints?: readonly Shown[]; readonly breakpoint?: Shown };
}

/** The breakpoints of one session, by the file that they are in. */
class Tracker implements vscode.DebugAdapterTracker {
  private readonly asked = new Map<number, string>();
  private readonly known = new Map<string, Map<number, Shown>>();

  constructor(private readonly diagnostics: vscode.DiagnosticCollection) {}

  onWillReceiveMessage(message: Message): void {
    const path = message.arguments?.source?.path;
    if (message.command === "setBreakpoints" && message.seq !== undefined && path !== undefined) {
      this.asked.set(message.seq, path);
    }
  }

  onDidSendMessage(message: Message): void {
    if (message.type === "response" && message.command === "setBreakpoints") {
      this.answered(this.asked.get(message.request_seq ?? 0), message.body?.breakpoints ?? []);
      this.asked.delete(message.request_seq ?? 0);
    } else if (message.event === "breakpoint" && message.body?.breakpoint !== undefined) {
      this.changed(message.body.breakpoint);
    }
  }

  onWillStopSession(): void {
    this.clear();
  }

  onExit(): void {
    this.clear();
  }

  private answered(path: string | undefined, breakpoints: readonly Shown[]): void {
    if (path !== undefined) {
      this.known.set(path, new Map(breakpoints.map((each) => [each.id ?? 0, each])));
      this.show(path);
    }
  }

  private changed(breakpoint: Shown): void {
    for (const [path, known] of this.known) {
      if (known.has(breakpoint.id ?? 0)) {
        known.set(breakpoint.id ?? 0, breakpoint);
        this.show(path);
      }
    }
  }

  private show(path: string): void {
    const found = [...(this.known.get(path)?.values() ?? [])].flatMap(({ verified, reason, message, line }) => {
      if (verified || reason !== "failed" || message === undefined || line === undefined) {
        return [];
      }
      const document = vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === path);
      const isThere = document !== undefined && line <= document.lineCount;
      const first = isThere ? document.lineAt(line - 1).firstNonWhitespaceCharacterIndex : 0;
      const range = new vscode.Range(line - 1, first, line - 1, Number.MAX_SAFE_INTEGER);
      const diagnostic = new vscode.Diagnostic(range, `Breakpoint: ${message}`, vscode.DiagnosticSeverity.Warning);
      diagnostic.source = "jvmdebug";
      return [diagnostic];
    });
    this.diagnostics.set(vscode.Uri.file(path), found);
  }

  private clear(): void {
    for (const path of this.known.keys()) {
      this.diagnostics.delete(vscode.Uri.file(path));
    }
    this.known.clear();
  }
}

export class BreakpointMessages implements vscode.DebugAdapterTrackerFactory, vscode.Disposable {
  private readonly diagnostics = vscode.languages.createDiagnosticCollection("jvmdebug breakpoints");

  createDebugAdapterTracker(): vscode.DebugAdapterTracker {
    return new Tracker(this.diagnostics);
  }

  dispose(): void {
    this.diagnostics.dispose();
  }
}
