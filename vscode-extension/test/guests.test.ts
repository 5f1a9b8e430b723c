// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { Guests, type GuestsBody, mark } from "../src/commands/guests";
import * as stub from "./vscode";

const customRequest = vi.fn();
const session = { id: "1", type: "jvmdebug", customRequest };
const status = { text: "", tooltip: "", backgroundColor: undefined as unknown, show: vi.fn(), hide: vi.fn(), dispose: vi.fn() };
const assistant = { name: "assistant (process 7)", kind: "assistant", role: "read-only" };
const prompt = { name: "prompt (process 8)", kind: "prompt", role: "debug" };

function body(...guests: GuestsBody["guests"]): GuestsBody {
  return { name: "shop.Main", assistants: "read-only", guests };
}

beforeEach(() => {
  vi.resetAllMocks();
  stub.debug.activeDebugSession = session;
  stub.window.createStatusBarItem.mockReturnValue(status);
  for (const each of [stub.debug.onDidReceiveDebugSessionCustomEvent, stub.debug.onDidTerminateDebugSession]) {
    each.mockReturnValue({ dispose: vi.fn() });
  }
});

test("an assistant that is in is marked, with what it may do", () => {
  expect(mark(undefined)).toBeUndefined();
  expect(mark(body())).toBeUndefined();
  expect(mark(body(assistant, prompt))).toEqual({
    text: "$(sparkle) Assistant is in, may look",
    tooltip: "assistant (process 7): read-only\nprompt (process 8): debug",
    isIn: true,
  });
  expect(mark(body({ ...assistant, role: "debug" }))?.text).toContain("may debug");
  expect(mark(body(prompt))).toMatchObject({ text: "$(account) prompt joined", isIn: false });
});

test("the mark follows the events, and goes with the session", () => {
  new Guests();
  const receive = stub.debug.onDidReceiveDebugSessionCustomEvent.mock.calls[0]?.[0] as (event: unknown) => void;
  const end = stub.debug.onDidTerminateDebugSession.mock.calls[0]?.[0] as (session: unknown) => void;
  receive({ event: "jvmdebug/guests", session: { ...session, type: "node" }, body: body(assistant) });
  expect(status.show).not.toHaveBeenCalled();
  receive({ event: "jvmdebug/guests", session, body: body(assistant) });
  expect(status.show).toHaveBeenCalledOnce();
  expect(status.backgroundColor).toBeDefined();
  receive({ event: "jvmdebug/guests", session, body: body() });
  expect(status.hide).toHaveBeenCalledOnce();
  receive({ event: "jvmdebug/guests", session, body: body(prompt) });
  expect(status.backgroundColor).toBeUndefined();
  end(session);
  expect(status.hide).toHaveBeenCalledTimes(2);
});

test("the command asks for the role and tells how to join", async () => {
  const guests = new Guests();
  stub.window.showQuickPick.mockResolvedValueOnce(undefined);
  await guests.letAssistantJoin();
  expect(customRequest).not.toHaveBeenCalled();
  stub.window.showQuickPick.mockImplementation((items: vscode.QuickPickItem[]) => Promise.resolve(items[0]));
  customRequest.mockResolvedValue(body());
  stub.window.showInformationMessage.mockResolvedValue("Copy Command");
  await guests.letAssistantJoin();
  expect(customRequest).toHaveBeenCalledWith("jvmdebug/letJoin", { assistants: "read-only" });
  expect(stub.window.showInformationMessage).toHaveBeenCalledWith(
    "An assistant joins this session with: jvmdebug mcp --join shop.Main",
    "Copy Command",
  );
  expect(stub.env.clipboard.writeText).toHaveBeenCalledWith("jvmdebug mcp --join shop.Main");
  customRequest.mockRejectedValue(new Error("nobody can join"));
  await guests.letAssistantJoin();
  expect(stub.window.showErrorMessage).toHaveBeenCalledWith("nobody can join");
});
