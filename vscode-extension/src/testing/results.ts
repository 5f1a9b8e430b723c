// SPDX-License-Identifier: Apache-2.0
// Shows the results of one test program in its run of the Test Explorer: states, times, failures
// with their locations, output. Reads the messages of its debug session.

import * as vscode from "vscode";

import { type Coverage, type LineTests, showCoverage } from "./coverage";
import type { TestTree } from "./tree";

export interface Message {
  readonly type: string;
  readonly event?: string;
  readonly command?: string;
  readonly success?: boolean;
  readonly message?: string;
  readonly body?: unknown;
}

export interface Failure {
  readonly type: string;
  readonly message?: string;
  readonly trace: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly path?: string;
  readonly line?: number;
}

/** The body of `jvmdebug/testResult`, which docs/how-to/tests.md explains. */
export interface Result {
  readonly event: "begin" | "started" | "finished" | "end";
  readonly id?: string;
  readonly parentId?: string;
  readonly kind?: "class" | "calls" | "method" | "call";
  readonly name?: string;
  readonly className?: string;
  readonly methodName?: string;
  readonly call?: number;
  readonly selector?: string;
  readonly path?: string;
  readonly line?: number;
  readonly status?: "passed" | "failed" | "skipped";
  readonly durationMs?: number;
  readonly reason?: string;
  readonly failure?: Failure;
}

/** An error in the event `jvmdebug/problems`. */
interface Mistake {
  readonly path: string;
  readonly line: number;
  readonly message: string;
  readonly isError: boolean;
}

/** A test that has failed. */
export interface FailedTest {
  readonly item: vscode.TestItem;
  readonly selector: string;
  /** What it failed with, `AssertionFailedError: expected: <3> but was: <2>`. */
  readonly said: string;
}

const ENDED = "The program ended before this test had finished.";

export class Results {
  private readonly items = new Map<string, vscode.TestItem>();
  private readonly running = new Set<vscode.TestItem>();
  /** The stack trace of the newest failure, printed below the line that reports it. */
  private trace = "";
  /** The reason why the program was not started. */
  private refusal: string | undefined;
  /** The first error of the compiler. */
  private mistake: Mistake | undefined;
  /** Whether some test has failed, or could not be run. */
  hasFailed = false;
  /** Whether the program was not started, or ended before all tests had. */
  hasUnfinished = false;
  /** What has failed, by the value of the launch attribute `test` that runs it again. */
  readonly failed = new Map<string, FailedTest>();

  constructor(
    private readonly tree: TestTree,
    private readonly run: vscode.TestRun,
    private readonly root: vscode.TestItem,
    private readonly wanted: readonly vscode.TestItem[],
    private readonly lineTests?: LineTests,
  ) {}

  /** Handles a message of the adapter. */
  received(message: Message): void {
    if (message.event === "jvmdebug/testResult") {
      this.take(message.body as Result);
    } else if (message.event === "output") {
      const { category, output } = message.body as { category?: string; output: string };
      if (category !== "telemetry" && category !== "important") {
        this.print(output + this.trace);
        this.trace = "";
      }
    } else if (message.type === "response" && message.command === "launch" && message.success === false) {
      const { error } = (message.body ?? {}) as { error?: { format: string; variables?: Record<string, string> } };
      const text = error?.format.replaceAll(/\{(\w+)\}/g, (whole, name: string) => error.variables?.[name] ?? whole);
      this.refusal = text ?? message.message;
    } else if (message.event === "jvmdebug/coverage") {
      const coverage = message.body as Coverage;
      showCoverage(this.run, coverage, [this.root.id]);
      this.lineTests?.update(coverage);
    } else if (message.event === "jvmdebug/problems") {
      this.mistake = (message.body as { problems: Mistake[] }).problems.find((each) => each.isError);
    }
  }

  /** Called when the session has ended, or could not begin. */
  finish(hasStarted: boolean): void {
    if (!hasStarted) {
      this.hasFailed = true;
      const text = this.refusal ?? "The program that runs the tests was not started.";
      this.print(`${text}\n`);
      const message = new vscode.TestMessage(this.mistake === undefined ? text : `does not compile: ${this.mistake.message}`);
      if (this.mistake !== undefined) {
        message.location = place(this.mistake.path, this.mistake.line);
      }
      for (const each of this.wanted) {
        this.run.errored(each, message);
      }
    }
    this.hasUnfinished = !hasStarted || this.running.size > 0;
    for (const each of this.running) {
      this.hasFailed = true;
      this.run.errored(each, new vscode.TestMessage(ENDED));
    }
  }

  private take(result: Result): void {
    switch (result.event) {
      case "begin": // again after a restart
        this.items.clear();
        this.running.clear();
        this.failed.clear();
        for (const each of this.wanted) {
          this.run.enqueued(each);
        }
        break;
      case "started":
        this.started(result);
        break;
      case "finished":
        this.finished(result);
        break;
      case "end":
        break;
    }
  }

  private started(result: Result): void {
    const item = this.itemOf(result);
    if (item === undefined || result.id === undefined) {
      return;
    }
    this.items.set(result.id, item);
    if (result.kind === "calls" && !this.wanted.some((each) => each.parent === item)) {
      item.children.replace([]); // the calls of the last run
    }
    if (result.kind !== "class") {
      this.running.add(item);
      this.run.started(item);
    }
  }

  private finished(result: Result): void {
    const item = this.items.get(result.id ?? "");
    if (item === undefined) {
      return;
    }
    this.running.delete(item);
    const { durationMs, failure, kind, status } = result;
    // The state of a method with several calls comes from them, in all views; so only the call that
    // has failed is run again, and what VS Code counts is what was called.
    if (kind === "calls" && failure === undefined && status !== "skipped" && item.children.size > 0) {
      return;
    }
    if (status === "failed") {
      this.hasFailed = true;
      if (result.selector !== undefined) {
        this.failed.set(result.selector, { item, selector: result.selector, said: failure === undefined ? "" : saidBy(failure) });
      }
      this.run.failed(item, failure === undefined ? [] : messageOf(failure), durationMs);
      this.trace = failure === undefined ? "" : `${failure.trace.trimEnd()}\n`;
    } else if (kind === "class") {
      return; // its state comes from its tests
    } else if (status === "skipped") {
      this.run.skipped(item);
    } else {
      this.run.passed(item, durationMs);
    }
  }

  private itemOf(result: Result): vscode.TestItem | undefined {
    const parent = this.items.get(result.parentId ?? "");
    if (result.className === undefined) {
      return parent === undefined ? undefined : this.without(parent, result);
    }
    const uri = result.path === undefined ? undefined : vscode.Uri.file(result.path);
    const ofClass = this.tree.classItem(this.root, result.className, uri);
    if (result.kind === "class") {
      return ofClass;
    }
    if (result.methodName === undefined) {
      return this.without(ofClass, result);
    }
    const method = this.tree.methodItem(ofClass, result.methodName);
    if (method.range === undefined && result.line !== undefined) {
      method.range = new vscode.Range(result.line - 1, 0, result.line - 1, 0);
    }
    const { id, kind, name = "", selector } = result;
    if (id !== undefined && id === selector && (kind !== "calls" || (parent !== undefined && parent !== ofClass))) {
      // Others have the same method and number: an overloaded one, a test in a dynamic container.
      return this.tree.callItem(parent !== undefined && this.isCall(parent) ? parent : method, id, name, selector);
    }
    if (result.call === undefined) {
      return method;
    }
    return this.tree.callItem(method, `[${String(result.call)}]`, result.name ?? "", result.selector);
  }

  private isCall(item: vscode.TestItem | undefined): boolean {
    return item !== undefined && this.tree.nodeOf(item)?.kind === "call";
  }

  /** Returns the item of a test without a method, which was made at run time. */
  private without(parent: vscode.TestItem, { name = "", selector }: Result): vscode.TestItem {
    return this.tree.callItem(parent, name, name, selector);
  }

  private print(text: string): void {
    this.run.appendOutput(text.replaceAll(/\r?\n/g, "\r\n"));
  }
}

/**
 * Makes the message that VS Code shows beside the line of a failure, with the difference to the
 * expected value if it is known.
 */
export function messageOf(failure: Failure): vscode.TestMessage {
  const said = saidBy(failure);
  const { expected, actual } = failure;
  const message =
    expected === undefined || actual === undefined
      ? new vscode.TestMessage(`${said}\n\n${failure.trace}`)
      : vscode.TestMessage.diff(said, expected, actual);
  if (failure.path !== undefined && failure.line !== undefined) {
    message.location = place(failure.path, failure.line);
  }
  return message;
}

function saidBy(failure: Failure): string {
  const kind = failure.type.split(".").at(-1) ?? failure.type;
  return failure.message === undefined ? kind : `${kind}: ${failure.message}`;
}

/** Makes a location; `line` counts from 1. */
function place(path: string, line: number): vscode.Location {
  return new vscode.Location(vscode.Uri.file(path), new vscode.Position(Math.max(0, line - 1), 0));
}
