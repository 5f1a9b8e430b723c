// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { nameAndValue, openRecording, recordingConfiguration, Recordings } from "../src/commands/recording";
import { callLabel, duration, type RecordedCall, RecordedCallsView } from "../src/views/recordedCalls";
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
  new Recordings();
  const receive = stub.debug.onDidReceiveDebugSessionCustomEvent.mock.calls[0]?.[0] as (event: unknown) => void;
  const end = stub.debug.onDidTerminateDebugSession.mock.calls[0]?.[0] as (session: unknown) => void;
  receive({ event: "jvmdebug/recording", session, body: { path: "/tmp/fail.jvmrec", started: 1 } });
  expect(status.text).toBe("$(history) The past: fail.jvmrec");
  expect(status.show).toHaveBeenCalledOnce();
  end(session);
  expect(status.hide).toHaveBeenCalled();
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
  expect(await view.getChildren()).toEqual([call]);
  const item = view.getTreeItem(call);
  expect(item.description).toBe("→ 30 · 12.3 ms");
  expect(view.getTreeItem({ ...call, result: "", exception: "X" }).description).toBe("→ threw X · 12.3 ms");
  customRequest.mockRejectedValueOnce(new Error("running"));
  expect(await view.getChildren(call)).toEqual([]);
  expect(customRequest).toHaveBeenLastCalledWith("jvmdebug/recordedCalls", { thread: 1, parent: 7 });
});
