// SPDX-License-Identifier: Apache-2.0
import { expect, test, vi } from "vitest";

import { BreakpointMessages } from "../src/breakpointMessages";
import * as stub from "./vscode";

const WRONG = { id: 7, verified: false, reason: "failed", message: "condition 'a +': expected an expression", line: 3 };

function tracked(): { shown: Map<string, readonly stub.Diagnostic[]>; take: (message: object) => void; ask: (seq: number) => void; end: () => void } {
  const shown = new Map<string, readonly stub.Diagnostic[]>();
  stub.languages.createDiagnosticCollection = vi.fn().mockReturnValue({
    set: ({ fsPath }: { fsPath: string }, found: readonly stub.Diagnostic[]) => shown.set(fsPath, found),
    delete: ({ fsPath }: { fsPath: string }) => shown.delete(fsPath),
  });
  const tracker = new BreakpointMessages().createDebugAdapterTracker();
  return {
    shown,
    take: (message) => tracker.onDidSendMessage?.(message),
    ask: (seq) => tracker.onWillReceiveMessage?.({ type: "request", seq, command: "setBreakpoints", arguments: { source: { path: "/a/Cart.java" } } }),
    end: () => tracker.onExit?.(0, undefined),
  };
}

test("why a breakpoint stops nowhere is shown at its line, until it does or the session ends", () => {
  const { shown, take, ask, end } = tracked();
  const texts = () => shown.get("/a/Cart.java")?.map(({ message, range }) => `${message} ${String((range as stub.Range).start.line)}`);
  ask(1);
  const waiting = { id: 8, verified: false, reason: "pending", message: "no class is loaded", line: 4 };
  take({ type: "response", request_seq: 1, command: "setBreakpoints", body: { breakpoints: [WRONG, waiting] } });
  expect(texts()).toEqual(["Breakpoint: condition 'a +': expected an expression 2"]);
  take({ type: "event", event: "breakpoint", body: { reason: "changed", breakpoint: { ...waiting, reason: "failed", message: "there is no b" } } });
  expect(texts()).toHaveLength(2);
  take({ type: "event", event: "breakpoint", body: { reason: "changed", breakpoint: { id: 9, verified: true } } });
  take({ type: "event", event: "breakpoint", body: { reason: "changed", breakpoint: { ...WRONG, verified: true } } });
  expect(texts()).toEqual(["Breakpoint: there is no b 3"]);
  ask(2);
  take({ type: "response", request_seq: 2, command: "setBreakpoints", body: { breakpoints: [] } });
  expect(texts()).toEqual([]);
  end();
  expect(shown.size).toBe(0);
});
