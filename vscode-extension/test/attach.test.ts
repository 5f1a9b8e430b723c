// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { addressAttributes, addressProblem, attachToPort, pickProcess, processItem } from "../src/commands/attach";
import { javaTypes, offerTakeOver } from "../src/commands/takeOver";
import * as stub from "./vscode";

beforeEach(() => {
  vi.resetAllMocks();
});

test("a JVM is listed with what can be done with it", () => {
  const agent = { kind: "jvmdebug", address: "localhost:5005", is_listening: true };
  const item = processItem({ pid: 7, program: "shop.Main", jdk: "25.0.1", user: "me", agent });
  expect(item).toMatchObject({ label: "$(debug) shop.Main", description: "7", pid: 7 });
  expect(item.detail).toBe("JDK 25.0.1 · me · jvmdebug's agent listens on localhost:5005");
  expect(processItem({ pid: 8, agent: { ...agent, is_listening: false } }).detail).toContain("does not listen");
  expect(processItem({ pid: 9, agent: null }).detail).toContain("no debug agent");
});

test.each([
  ["localhost:5005", { hostName: "localhost", port: 5005 }],
  ["5005", { hostName: "localhost", port: 5005 }],
  ["[::1]:80", { hostName: "::1", port: 80 }],
  ["unix:/run/app", { hostName: "unix:/run/app" }],
  ["tls://shop:7000", { hostName: "tls://shop:7000" }],
  ["tls://[::1]:7000/a=b:5", { hostName: "tls://[::1]:7000/a=b:5" }],
])("the address %s", (text, attributes) => {
  expect(addressProblem(text)).toBeUndefined();
  expect(addressAttributes(text)).toEqual(attributes);
});

test.each(["", "host", "host:", "host:0", "host:65536", "a b:1", "unix:", "tls://", "tls://shop", "tls://shop/x", "tls://:7"])("no address: %j", (text) => {
  expect(addressProblem(text)).toBeDefined();
});

test("the typed address is attached to, and offered again", async () => {
  stub.window.showInputBox.mockResolvedValue(" shop:8000 ");
  await attachToPort();
  expect(stub.debug.startDebugging).toHaveBeenCalledWith(undefined, {
    type: "jvmdebug", request: "attach", name: "shop:8000", hostName: "shop", port: 8000,
  });
  await attachToPort();
  expect(stub.window.showInputBox).toHaveBeenLastCalledWith(expect.objectContaining({ value: "shop:8000" }));
});

test("types in a launch.json, not those in comments or of other debuggers", () => {
  const text = '{ // "type": "java"\n "a": [{ "type" : "java" }, {"type":"node"}, /* "type":"java" */ {"type":"java"}] }';
  const found = javaTypes(text);
  expect(found.map((each) => each.replacement)).toEqual(['"type" : "jvmdebug"', '"type":"jvmdebug"']);
  expect(text.slice(found[0]?.offset)).toMatch(/^"type" : "java"/);
});

test("the list of JVMs offers to install the debugger when it is not there", async () => {
  stub.workspace.getConfiguration.mockReturnValue({ get: () => "/nope/jvmdebug" });
  stub.window.showErrorMessage.mockResolvedValue(undefined);
  expect(await pickProcess()).toBeUndefined();
  expect(stub.window.showQuickPick).not.toHaveBeenCalled();
  expect(stub.window.showErrorMessage).toHaveBeenCalledWith(expect.stringContaining("/nope/jvmdebug"), "Open Settings");
});

test("configurations that nothing could start are offered to jvmdebug, once", async () => {
  const memory = new Map<string, unknown>();
  const state = { get: (key: string) => memory.get(key), update: (key: string, value: unknown) => memory.set(key, value) };
  stub.workspace.workspaceFolders = [{ uri: { fsPath: "/w" } }];
  stub.workspace.openTextDocument.mockResolvedValue({ getText: () => '{"type": "java"}' });
  stub.window.showInformationMessage.mockResolvedValue(undefined);
  stub.extensions.getExtension.mockReturnValueOnce({});
  await offerTakeOver(state as unknown as vscode.Memento); // Microsoft's is there
  expect(stub.window.showInformationMessage).not.toHaveBeenCalled();
  await offerTakeOver(state as unknown as vscode.Memento);
  await offerTakeOver(state as unknown as vscode.Memento);
  expect(stub.window.showInformationMessage).toHaveBeenCalledOnce();
  expect(stub.window.showInformationMessage).toHaveBeenCalledWith(expect.stringContaining("not installed"), "Use jvmdebug");
});
