// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { nameAndValue, openRecording, recordingConfiguration, Recordings } from "../src/commands/recording";
import { type CallNode, callLabel, duration, goToMoment, type RecordedCall, RecordedCallsView } from "../src/views/recordedCalls";
import * as stub from "./vscode";

const customRequest = vi.fn();
const session = { id: "1", type: "jvmdebug", customRequest };
const status = { text: "", tooltip: "", backgroundColor: undefined as unknown, show: vi.fn(), hide: vi.fn(), dispose: vi.fn() };
const call: RecordedCall = {
  thread: 1,
  threadName: "main",
  index: 7,
  name: "shop.Till.add",
  arguments: ["10"],
  result: "30",
  exception: "",
  startNs: 5_000,
  durationNs: 12_345_678,
};

beforeEach(() => {
  vi.resetAllMocks();
  stub.debug.activeDebugSession = session;
  stub.window.createStatusBarItem.mockReturnValue(status);
  for (const each of [stub.debug.onDidReceiveDebugSessionCustomEvent, stub.debug.onDidTerminateDebugSession]) {
    each.mockReturnValue({ dispose: vi.fn() });
  }
});

test("a recording is opened by an attach configuration", async () => {
  expect(recordingConfiguration("/tmp/fail.jvmrec")).toEqual({
    type: "jvmdebug",
    request: "attach",
    name: "Recording fail.jvmrec",
    recording: "/tmp/fail.jvmrec",
  });
  await openRecording({ fsPath: "/tmp/fail.jvmrec" } as vscode.Uri);
  expect(stub.debug.startDebugging.mock.calls[0]?.[1]).toMatchObject({ recording: "/tmp/fail.jvmrec" });
});

test("what is typed is a name, with a value or without", () => {
  expect(nameAndValue("total = 42")).toEqual({ name: "total", value: "42" });
  expect(nameAndValue("name == null")).toEqual({ name: "name", value: "null" });
  expect(nameAndValue(" total ")).toEqual({ name: "total" });
});

test("the status bar says that this is the past, while the recording is shown", () => {
  const entered = vi.fn();
  new Recordings(entered);
  const receive = stub.debug.onDidReceiveDebugSessionCustomEvent.mock.calls[0]?.[0] as (event: unknown) => void;
  const end = stub.debug.onDidTerminateDebugSession.mock.calls[0]?.[0] as (session: unknown) => void;
  receive({ event: "jvmdebug/recording", session, body: { path: "/tmp/fail.jvmrec", started: 1 } });
  expect(status.text).toBe("$(history) The past: fail.jvmrec");
  expect(status.show).toHaveBeenCalledOnce();
  receive({ event: "jvmdebug/present", session });
  expect(status.hide).toHaveBeenCalledOnce();
  receive({ event: "jvmdebug/recording", session, body: { path: "/tmp/$(zap).jvmrec", started: 1 } });
  expect(status.text).not.toContain("$(zap)");
  expect(entered).toHaveBeenCalledTimes(2);
  end(session);
  expect(status.hide).toHaveBeenCalledTimes(2);
});

test("the chosen write is gone to", async () => {
  stub.window.showInputBox.mockResolvedValue("total = 42");
  customRequest.mockResolvedValueOnce({ writes: [{ thread: 1, threadName: "main", index: 9, value: "42", where: "shop.Till.add" }] });
  await new Recordings().search();
  expect(customRequest.mock.calls).toEqual([
    ["jvmdebug/recordedWrites", { name: "total", value: "42" }],
    ["jvmdebug/goToMoment", { thread: 1, index: 9 }],
  ]);
});

test("calls are a tree, with results and times", async () => {
  expect([950, 1_500, 12_345_678, 2_000_000_000].map(duration)).toEqual(["950 ns", "1.50 µs", "12.3 ms", "2.00 s"]);
  expect(callLabel(call)).toBe("Till.add(10)");
  const view = new RecordedCallsView();
  customRequest.mockResolvedValueOnce({ calls: [call] });
  const node = { session, call } as unknown as CallNode;
  expect(await view.getChildren()).toEqual([node]);
  const item = view.getTreeItem(node);
  expect(item.description).toBe("→ 30 · 12.3 ms");
  const thrown = { session, call: { ...call, result: "", exception: "X" } } as unknown as CallNode;
  expect(view.getTreeItem(thrown).description).toBe("→ threw X · 12.3 ms");
  customRequest.mockRejectedValueOnce(new Error("running"));
  expect(await view.getChildren(node)).toEqual([]);
  expect(customRequest).toHaveBeenLastCalledWith("jvmdebug/recordedCalls", { thread: 1, parent: 7 });
});

test("calls that are left out are a row, at the top and below a call", async () => {
  const view = new RecordedCallsView();
  customRequest.mockResolvedValue({ calls: [call, call], isCut: true });
  const [first, , last] = (await view.getChildren()) as [CallNode, CallNode, CallNode];
  const more = [last, ...(await view.getChildren(first)).slice(-1)].map((each) => view.getTreeItem(each));
  expect(more.map((each) => each.label)).toEqual(["more", "more"]);
  expect(more.map((each) => each.description)).toEqual(["only the first 2 calls are shown", "only the first 2 calls are shown"]);
  expect(new Set(more.map((each) => each.id)).size).toBe(2);
  expect(await view.getChildren(last)).toEqual([]);
  await goToMoment(last);
  expect(customRequest).toHaveBeenCalledTimes(2);
});

test("the calls of two sessions at once stay apart", async () => {
  const other = { id: "2", type: "jvmdebug", customRequest: vi.fn().mockResolvedValue({ calls: [call] }) };
  customRequest.mockResolvedValue({ calls: [call] });
  const view = new RecordedCallsView();
  const [ours] = (await view.getChildren()) as [CallNode];
  stub.debug.activeDebugSession = other;
  const [theirs] = (await view.getChildren()) as [CallNode];
  expect(view.getTreeItem(ours).id).not.toBe(view.getTreeItem(theirs).id);
  await view.getChildren(ours);
  await goToMoment(ours);
  expect(customRequest.mock.calls.slice(1).map(([name]) => name as string)).toEqual(["jvmdebug/recordedCalls", "jvmdebug/goToMoment"]);
  expect(other.customRequest).toHaveBeenCalledOnce();
});

test("calls are read again at stops until they came, and then no more", async () => {
  const view = new RecordedCallsView();
  const { fire } = (view as unknown as { changed: stub.EventEmitter }).changed;
  customRequest.mockRejectedValueOnce(new Error("running"));
  for (const expected of [1, 2, 2]) {
    view.refreshOnce();
    expect(fire).toHaveBeenCalledTimes(expected);
    customRequest.mockResolvedValueOnce({ calls: [] });
    await view.getChildren();
  }
  view.forget(session as unknown as vscode.DebugSession);
  expect(fire).toHaveBeenCalledTimes(3);
  view.dispose();
});

test("what is written in the program makes no icons, and what is cut is said", async () => {
  stub.window.showInputBox.mockResolvedValue("total");
  stub.window.showQuickPick.mockResolvedValue(undefined);
  const write = { thread: 1, threadName: "$(flame)", index: 9, value: '"$(zap) $(x"', where: "$(bug).add" };
  customRequest.mockResolvedValueOnce({ writes: [write, write], isCut: true });
  await new Recordings().search();
  const [items] = stub.window.showQuickPick.mock.calls[0] as [vscode.QuickPickItem[]];
  expect(items).toHaveLength(3);
  expect(items.map((each) => [each.label, each.description, each.detail].join(" ")).join(" ")).not.toContain("$(");
  expect(items[2]?.label).toContain("More than 2");
});

test("each session is told once of a source that has changed since it was recorded", () => {
  const path = join(mkdtempSync(join(tmpdir(), "changed-")), "Cart.java");
  writeFileSync(path, "class Cart {}");
  const recordings = new Recordings();
  const receive = stub.debug.onDidReceiveDebugSessionCustomEvent.mock.calls[0]?.[0] as (event: unknown) => void;
  const end = stub.debug.onDidTerminateDebugSession.mock.calls[0]?.[0] as (session: unknown) => void;
  const shown = { command: "stackTrace", body: { stackFrames: [{ source: { path } }, { source: { path } }] } };
  const show = (of: object): void => {
    recordings.createDebugAdapterTracker(of as vscode.DebugSession).onDidSendMessage?.(shown);
  };
  const other = { ...session, id: "2" };
  for (const each of [session, other]) {
    receive({ event: "jvmdebug/recording", session: each, body: { path: "/tmp/fail.jvmrec", started: 1 } });
    show(each);
    show(each);
  }
  expect(stub.window.showWarningMessage).toHaveBeenCalledTimes(2);
  end(session);
  show(other);
  expect(stub.window.showWarningMessage).toHaveBeenCalledTimes(2);
});
