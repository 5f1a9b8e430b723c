// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { HitRecorder } from "../src/views/hits";
import { ObjectsView } from "../src/views/objects";
import { type DumpedThread, rows } from "../src/views/threads";
import * as stub from "./vscode";

let time = 0;
const recorder = () => new HitRecorder(vi.fn(), () => new Date((time += 1000)));

beforeEach(() => {
  vi.resetAllMocks();
});

/** A request and its answer. */
function exchange(to: HitRecorder, seq: number, command: string, asked: object, body: object): void {
  to.sent({ type: "request", seq, command, arguments: { ...asked } });
  to.received({ type: "response", request_seq: seq, success: true, body: { ...body } });
}

test("a stop counts its breakpoint, and keeps the locals that VS Code reads", () => {
  const hits = recorder();
  const source = { path: "/shop/Cart.java" };
  exchange(hits, 1, "setBreakpoints", { source, breakpoints: [{ line: 7 }] }, { breakpoints: [{ id: 3, line: 8 }] });
  for (const value of ["1", "2"]) {
    hits.received({ type: "event", event: "stopped", body: { threadId: 1, hitBreakpointIds: [3] } });
    exchange(hits, 2, "stackTrace", { threadId: 9 }, { stackFrames: [{ id: 90 }] });
    exchange(hits, 3, "stackTrace", { threadId: 1 }, { stackFrames: [{ id: 40 }, { id: 41 }] });
    exchange(hits, 4, "scopes", { frameId: 40 }, { scopes: [{ presentationHint: "locals", variablesReference: 50 }] });
    exchange(hits, 5, "variables", { variablesReference: 50 }, { variables: [{ name: "a", value }] });
    exchange(hits, 6, "variables", { variablesReference: 50 }, { variables: [{ name: "b", value: "later" }] });
  }
  const [place] = [...hits.places.values()];
  expect(place).toMatchObject({ label: "Cart.java:8", path: "/shop/Cart.java", line: 8, count: 2 });
  expect(place?.recent.map((each) => each.values)).toEqual([["a = 2"], ["a = 1"]]);
});

test("values that the adapter knows a moment later are taken, those that the user has changed are not", () => {
  const hits = recorder();
  const show = (seq: number, value: string): void => {
    exchange(hits, seq, "variables", { variablesReference: 50 }, { variables: [{ name: "a", value }] });
  };
  hits.received({ type: "event", event: "stopped", body: { threadId: 1, hitBreakpointIds: [3] } });
  exchange(hits, 3, "stackTrace", { threadId: 1 }, { stackFrames: [{ id: 40 }] });
  exchange(hits, 4, "scopes", { frameId: 40 }, { scopes: [{ presentationHint: "locals", variablesReference: 50 }] });
  show(5, "Cart@1 {size=3}");
  hits.received({ type: "event", event: "invalidated", body: { areas: ["variables"] } });
  show(6, 'Cart@1 "a cart of 3"');
  hits.sent({ type: "request", seq: 7, command: "setVariable", arguments: {} });
  hits.received({ type: "event", event: "invalidated", body: { areas: ["variables"] } });
  show(8, "null");
  expect([...hits.places.values()][0]?.recent[0]?.values).toEqual(['a = Cart@1 "a cart of 3"']);
});

test("function breakpoints have their names, log points what they wrote, a step counts nothing", () => {
  const hits = recorder();
  const asked = { breakpoints: [{ name: "shop.Cart#add" }] };
  exchange(hits, 1, "setFunctionBreakpoints", asked, { breakpoints: [{ id: 1 }] });
  hits.received({ type: "event", event: "stopped", body: { threadId: 1, hitBreakpointIds: [1] } });
  hits.received({ type: "event", event: "stopped", body: { threadId: 1 } });
  const source = { path: "/shop/Cart.java" };
  hits.received({ type: "event", event: "output", body: { category: "stdout", output: "\u001b[2mx is 1\u001b[0m\n", source, line: 4 } });
  hits.received({ type: "event", event: "output", body: { category: "stderr", output: "at x\n", source, line: 4 } });
  expect([...hits.places.values()].map(({ label, count }) => [label, count])).toEqual([
    ["shop.Cart#add", 1],
    ["Cart.java:4", 1],
  ]);
  expect([...hits.places.values()][1]?.recent[0]?.values).toEqual(["x is 1"]);
});

test("exceptions, watches and instructions have the names that VS Code shows", () => {
  const hits = recorder();
  const filters = [
    { filter: "caught", label: "Caught Exceptions" },
    { filter: "uncaught", label: "Uncaught Exceptions" },
  ];
  exchange(hits, 1, "initialize", {}, { exceptionBreakpointFilters: filters });
  const both = { filters: [], filterOptions: [{ filterId: "caught", condition: "shop.*" }, { filterId: "uncaught" }] };
  exchange(hits, 2, "setExceptionBreakpoints", both, { breakpoints: [{ id: 2 }, { id: 2 }] });
  exchange(hits, 3, "dataBreakpointInfo", { name: "sold" }, { dataId: "Shop.sold@1", description: "Shop.sold of this object" });
  const watched = { breakpoints: [{ dataId: "Shop.sold@1" }, { dataId: "Shop#sell.left" }] };
  exchange(hits, 4, "setDataBreakpoints", watched, { breakpoints: [{ id: 4 }, { id: 5, line: 23 }] });
  const instructions = { breakpoints: [{ instructionReference: "0x12" }] };
  exchange(hits, 5, "setInstructionBreakpoints", instructions, { breakpoints: [{ id: 6 }] });
  hits.received({ type: "event", event: "breakpoint", body: { breakpoint: { id: 4, verified: true } } });
  hits.received({ type: "event", event: "stopped", body: { threadId: 1, hitBreakpointIds: [2, 4, 5, 6] } });
  exchange(hits, 6, "setExceptionBreakpoints", { filters: ["uncaught"] }, { breakpoints: [{ id: 7 }] });
  hits.received({ type: "event", event: "stopped", body: { threadId: 1, hitBreakpointIds: [7] } });
  expect([...hits.places.values()].map((each) => each.label)).toEqual([
    "Caught Exceptions: shop.*, Uncaught Exceptions",
    "Shop.sold of this object",
    "Shop#sell.left",
    "0x12",
    "Uncaught Exceptions",
  ]);
});

test("a loop of log points takes bounded memory", () => {
  const hits = recorder();
  for (let line = 0; line < 1000; line++) {
    const body = { category: "stdout", output: "x", source: { path: "/A.java" }, line: line % 300 };
    hits.received({ type: "event", event: "output", body });
  }
  expect(hits.places.size).toBe(200);
  for (let time = 0; time < 50; time++) {
    hits.received({ type: "event", event: "output", body: { category: "stdout", output: "x", source: { path: "/A.java" }, line: 1 } });
  }
  expect(hits.places.get("/A.java A.java:1")?.recent).toHaveLength(20);
});

function thread(name: string, status: string, more: Partial<DumpedThread> = {}): DumpedThread {
  return { threadId: 1, name, status, isVirtual: false, frames: [], frameCount: 0, holds: [], ...more };
}

test("deadlocks come first, blocked threads before others, virtual threads in a group", () => {
  const found = rows({
    threads: [
      thread("main", "waiting", { frames: ["A.main(A.java:1)"], frameCount: 3 }),
      thread("one", "blocked", { holds: [{ text: "L" }], waitsFor: { text: "R", owner: "two" } }),
      thread("two", "blocked", { holds: [{ text: "R" }], waitsFor: { text: "L", owner: "one" } }),
      thread("v", "running", { isVirtual: true }),
      thread("w", "waiting", { isVirtual: true }),
    ],
    deadlocks: [["one", "two"]],
  });
  expect(found.map((each) => each.label)).toEqual(["Deadlock of 2 threads", "one", "two", "main", "Virtual threads"]);
  expect(found[0]).toMatchObject({ description: "one → two → one", isOpen: true, icon: "error" });
  expect(found[1]?.description).toBe("deadlocked · wants R, held by two");
  expect(found[1]?.children.map((each) => each.label)).toEqual(["wants R, held by two", "holds L"]);
  const origins = [{ label: "submitted to ThreadPoolExecutor by thread main", frames: ["A.b(A.java:3)"] }];
  const [ran] = rows({ threads: [thread("three", "running", { origins })], deadlocks: [] });
  expect(ran?.children.map((each) => [each.label, each.children[0]?.label])).toEqual([[origins[0]?.label, "A.b(A.java:3)"]]);
  expect(found[3]?.children.map((each) => each.label)).toEqual(["A.main(A.java:1)", "… 2 more"]);
  expect(found[4]?.children.map((each) => `${each.label} ${each.description ?? ""}`)).toEqual(["running 1", "waiting 1"]);
});

test("the thread of a stop comes before others, the VM's own threads in a group", () => {
  const found = rows({
    threads: [
      thread("Finalizer", "waiting", { isOfVm: true }),
      thread("other", "suspended"),
      thread("main", "stopped"),
    ],
    deadlocks: [],
  });
  expect(found.map((each) => `${each.label} ${each.description ?? ""}`)).toEqual([
    "main stopped",
    "other suspended",
    "Threads of the VM 1",
  ]);
  expect(found[0]?.icon).toBe("debug-pause");
  expect(found[2]?.children.map((each) => each.label)).toEqual(["Finalizer"]);
});

test("objects are counted at each stop, with the change since the last one", async () => {
  const kept: string[] = [];
  const memory = {
    get: () => kept,
    update: (_name: string, value: string[]) => {
      kept.splice(0, kept.length, ...value);
      return Promise.resolve();
    },
  } as unknown as vscode.Memento;
  let count = 5;
  const customRequest = vi.fn((command: string) =>
    Promise.resolve(
      command === "jvmdebug/instanceCounts"
        ? { counts: [{ className: "shop.Cart", count, isLoaded: count > 0 }] }
        : command === "jvmdebug/loadedClasses"
          ? { classNames: [], total: 0 }
          : { count, instances: [{ name: "[0]", value: "Cart", variablesReference: 7 }] },
    ),
  );
  stub.debug.activeDebugSession = { type: "jvmdebug", id: "1", customRequest };
  const view = new ObjectsView(memory);
  const picker = stub.quickPick();
  const added = view.add();
  await vi.waitUntil(() => picker.isShown);
  picker.accept({ label: "No loaded class has this name" }); // nothing to pick
  picker.accept({ label: "Cart", className: "shop.Cart" });
  await added;
  count = 7;
  await view.refresh();
  const [row] = await view.getChildren();
  expect(row).toEqual({ kind: "class", counted: { className: "shop.Cart", count: 7, change: 2, isLoaded: true } });
  expect(row && view.getTreeItem(row).description).toBe("7 (+2)");
  expect(row && view.getTreeItem(row).accessibilityInformation?.label).toMatch(/, 7 \(\+2\)$/);
  count = 0;
  await view.refresh();
  const [gone] = await view.getChildren();
  expect(gone && view.getTreeItem(gone).description).toBe("no class of this name is loaded");
  count = 7;
  const below = await view.getChildren(row);
  expect(below.map((each) => each.kind)).toEqual(["value", "text"]);
  if (row !== undefined) {
    await view.remove(row);
  }
  expect(await view.getChildren()).toEqual([]);
});

test("a kept object comes first, is read again at each stop, and is let go of", async () => {
  const memory = { get: vi.fn(() => []), update: vi.fn(), keys: () => [] };
  const kept = { name: "kept 2", value: "Cart {total=3}", variablesReference: 8 };
  const customRequest = vi.fn((request: string) => Promise.resolve({ objects: request === "jvmdebug/release" ? [] : [kept] }));
  stub.debug.activeDebugSession = { type: "jvmdebug", customRequest };
  const view = new ObjectsView(memory as never);
  await view.keepObject({ variable: {} });
  expect(customRequest).not.toHaveBeenCalled();
  await view.keepObject({ variable: { variablesReference: 7 } });
  expect(customRequest).toHaveBeenLastCalledWith("jvmdebug/keep", { variablesReference: 7 });
  await view.refresh();
  expect(customRequest).toHaveBeenLastCalledWith("jvmdebug/kept");
  const [row] = await view.getChildren();
  expect(row).toEqual({ kind: "value", shown: kept, kept: 2 });
  if (row !== undefined) {
    expect(view.getTreeItem(row).contextValue).toBe("kept");
    await view.release(row);
  }
  expect(customRequest).toHaveBeenLastCalledWith("jvmdebug/release", { number: 2 });
  expect(await view.getChildren()).toEqual([]);
});
