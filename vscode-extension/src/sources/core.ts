// SPDX-License-Identifier: Apache-2.0
// Asks the core about sources, through one process `jvmdebug sources` for the window. The process
// is started with the first question; each question and each answer is a line of JSON. The
// questions are in docs/reference/sources.md. Without the core nothing is known.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";

import * as vscode from "vscode";

import { adapterCommand } from "../adapter";
import { coreEnvironment } from "../jdks";

/** How long after a failure questions are answered without trying again; each edit asks one. */
const PAUSE_MS = 5_000;

/** A class that can be started, and the line of its main method, from 1. */
export interface MainMethod {
  readonly className: string;
  readonly line: number;
}

export interface TestMethod {
  readonly name: string;
  /** The line of the name, from 1. */
  readonly line: number;
  /** The line of its first annotation or modifier. */
  readonly firstLine: number;
}

/** A class that declares tests; each method name is listed once. */
export interface TestClass extends Omit<TestMethod, "name"> {
  /** The binary name: `shop.CartTest$Empty`. */
  readonly className: string;
  readonly methods: readonly TestMethod[];
}

/** The main classes and tests of one source. */
export interface Declared {
  readonly mains: readonly MainMethod[];
  readonly tests: readonly TestClass[];
}

/**
 * The main classes and tests below a folder, and the main classes of class files without a source.
 */
export interface Below {
  readonly files: readonly (Declared & { readonly file: string })[];
  readonly compiled: readonly { readonly className: string; readonly file: string; readonly project: string }[];
}

const NOTHING: Declared = { mains: [], tests: [] };

export class Core implements vscode.Disposable {
  private process: Promise<ChildProcessWithoutNullStreams> | undefined;
  private readonly waiting = new Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>();
  private readonly known = new WeakMap<vscode.TextDocument, { version: number; declared: Promise<Declared> }>();
  private last = 0;
  private failedAt = -Infinity;

  dispose(): void {
    void this.process?.then((each) => each.stdin.end()).catch(() => undefined);
  }

  /** Returns what a document declares now; nothing if the core cannot be asked. */
  declared(document: vscode.TextDocument): Promise<Declared> {
    const known = this.known.get(document);
    if (known?.version === document.version) {
      return known.declared;
    }
    const asked = this.ask<Declared>("declared", { path: document.uri.fsPath, text: document.getText() });
    const declared = asked.catch(() => {
      this.known.delete(document); // the core may be installed meanwhile
      return NOTHING;
    });
    this.known.set(document, { version: document.version, declared });
    return declared;
  }

  /** Returns what a file on the disk declares. */
  declaredIn(path: string): Promise<Declared> {
    return this.ask<Declared>("declared", { path }).catch(() => NOTHING);
  }

  /** Returns what is declared below a folder, with the unsaved texts of open documents. */
  below(folder: string): Promise<Below> {
    const edited = vscode.workspace.textDocuments.filter((each) => each.isDirty && each.uri.scheme === "file");
    const texts = Object.fromEntries(edited.map((each) => [each.uri.fsPath, each.getText()]));
    return this.ask<Below>("below", { folder, texts }).catch(() => ({ files: [], compiled: [] }));
  }

  /** Asks about a position in a document; `line` counts from 0. */
  at<T>(ask: "method" | "field" | "names", document: vscode.TextDocument, line: number, word?: string): Promise<T> {
    return this.ask<T>(ask, { path: document.uri.fsPath, text: document.getText(), line: line + 1, word });
  }

  private async ask<T>(ask: string, about: object): Promise<T> {
    if (this.process === undefined && Date.now() - this.failedAt < PAUSE_MS) {
      throw new Error("the core does not answer");
    }
    this.process ??= this.begin();
    const process = await this.process;
    const id = ++this.last;
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (answer: unknown) => void, reject });
      process.stdin.write(`${JSON.stringify({ id, ask, ...about })}\n`);
    });
  }

  private async begin(): Promise<ChildProcessWithoutNullStreams> {
    try {
      const folder = vscode.workspace.workspaceFolders?.[0];
      const child = spawn(await adapterCommand(folder), ["sources"], { env: coreEnvironment(folder) });
      child.on("error", () => {
        this.ended();
      });
      child.on("close", () => {
        this.ended();
      });
      child.stdin.on("error", () => undefined); // it has ended
      child.stderr.resume();
      createInterface(child.stdout).on("line", (line) => {
        this.take(line);
      });
      return child;
    } catch (error) {
      this.ended();
      throw error;
    }
  }

  private take(line: string): void {
    let said: { id?: number; answer?: unknown; error?: string };
    try {
      said = JSON.parse(line) as typeof said;
    } catch {
      return; // another command
    }
    const waiting = this.waiting.get(said.id ?? 0);
    this.waiting.delete(said.id ?? 0);
    if (said.error === undefined) {
      waiting?.resolve(said.answer);
    } else {
      waiting?.reject(new Error(said.error));
    }
  }

  /**
   * Called when the process has ended or could not be started, for example because it is an older
   * version.
   */
  private ended(): void {
    this.process = undefined;
    this.failedAt = Date.now();
    for (const { reject } of this.waiting.values()) {
      reject(new Error("the core has ended"));
    }
    this.waiting.clear();
  }
}

/** The core of this window. */
export const core = new Core();
