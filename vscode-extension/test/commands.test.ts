// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { offerFullMode, restartInFullMode } from "../src/commands/fullMode";
import { toggle } from "../src/commands/values";
import * as stub from "./vscode";

const customRequest = vi.fn();
const configuration = { type: "jvmdebug", request: "launch", name: "x", mainClass: "A" };
const session = { id: "1", type: "jvmdebug", configuration, customRequest };

beforeEach(() => {
  vi.resetAllMocks();
  stub.debug.activeDebugSession = session;
});

function needed(type = "jvmdebug"): vscode.DebugSessionCustomEvent {
  const event = { event: "jvmdebug/fullModeNeeded", body: { message: "needs it" } };
  return { ...event, session: { ...session, type } } as unknown as vscode.DebugSessionCustomEvent;
}

test("the restart is offered, and done when it is chosen", async () => {
  stub.window.showInformationMessage.mockResolvedValue("Restart in Full Mode");
  await offerFullMode(needed());
  expect(stub.window.showInformationMessage).toHaveBeenCalledWith("needs it", "Restart in Full Mode");
  expect(customRequest).toHaveBeenCalledWith("restart", { arguments: { ...configuration, mode: "full" } });
});

test.each([needed("node"), { ...needed(), event: "other" }])(
  "events of others, and another choice, restart nothing",
  async (event) => {
    await offerFullMode(event);
    await offerFullMode(needed());
    expect(stub.window.showInformationMessage).toHaveBeenCalledOnce();
    expect(customRequest).not.toHaveBeenCalled();
  },
);

test("an attached program is not restarted", async () => {
  stub.debug.activeDebugSession = { ...session, configuration: { ...configuration, request: "attach" } };
  await restartInFullMode();
  expect(customRequest).not.toHaveBeenCalled();
  expect(stub.window.showErrorMessage).toHaveBeenCalledWith(expect.stringContaining("mode=full"));
});

test("suspending one thread is turned on and off again", async () => {
  await toggle("suspend");
  await toggle("suspend");
  expect(customRequest.mock.calls).toEqual([
    ["jvmdebug/suspend", { suspend: "thread" }],
    ["jvmdebug/suspend", { suspend: "all" }],
  ]);
});

test("the configuration says what is suspended at first", async () => {
  stub.debug.activeDebugSession = { ...session, id: "2", configuration: { ...configuration, suspend: "thread" } };
  await toggle("suspend");
  expect(customRequest).toHaveBeenCalledWith("jvmdebug/suspend", { suspend: "all" });
});
