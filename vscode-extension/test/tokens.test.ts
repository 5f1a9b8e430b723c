// SPDX-License-Identifier: Apache-2.0
import { readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";

import { beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { addressOf, Tokens } from "../src/tokens";
import * as stub from "./vscode";

type Ended = (session: { id: string }) => Promise<void>;

const configuration = { type: "jvmdebug", request: "attach", name: "x", hostName: "localhost", port: 5005 };
const session = { id: "1", configuration, workspaceFolder: undefined };
let kept: Map<string, string>;
let ended: Ended;

function tokens(): Tokens {
  const secrets = {
    get: (key: string) => Promise.resolve(kept.get(key)),
    store: (key: string, value: string) => Promise.resolve(void kept.set(key, value)),
    delete: (key: string) => Promise.resolve(void kept.delete(key)),
  };
  return new Tokens(secrets as unknown as vscode.SecretStorage);
}

beforeEach(() => {
  vi.resetAllMocks();
  kept = new Map();
  stub.debug.onDidTerminateDebugSession.mockImplementation((listener: Ended) => {
    ended = listener;
    return { dispose: vi.fn() };
  });
});

test("a token that is typed is kept for its address, and the configuration stays as it is", async () => {
  stub.window.showInputBox.mockResolvedValue("secret");
  expect(await tokens().attachAgain(session)).toBe(true);
  expect([...kept]).toEqual([["token of localhost:5005", "secret"]]);
  expect(stub.debug.startDebugging).toHaveBeenCalledWith(undefined, configuration);
  expect(JSON.stringify(configuration)).not.toContain("secret");
  expect(stub.window.showInputBox).toHaveBeenCalledWith(expect.objectContaining({ password: true }));
});

test("a token that is kept is given in a file of the user alone, until the session ends", async () => {
  kept.set("token of localhost:5005", "secret");
  const { JVMDEBUG_TOKEN_FILE: file = "" } = await tokens().environment(session);
  expect(await readFile(file, "utf8")).toBe("secret");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(dirname(file))).mode & 0o777).toBe(0o700);
  await ended({ id: "other" });
  await stat(file);
  await ended({ id: "1" });
  await expect(stat(dirname(file))).rejects.toThrow();
});

test("a token that the agent refuses is forgotten, also if no other one is typed", async () => {
  kept.set("token of localhost:5005", "old");
  stub.window.showInputBox.mockResolvedValue(undefined);
  expect(await tokens().attachAgain(session)).toBe(true);
  expect(kept.size).toBe(0);
  expect(stub.debug.startDebugging).not.toHaveBeenCalled();
  expect(await tokens().environment(session)).toEqual({});
});

test("a relay has one token for all of its programs", async () => {
  stub.window.showInputBox.mockResolvedValue("secret");
  const relayed = { ...configuration, hostName: "tls://server:7000/shop", port: undefined };
  await tokens().attachAgain({ ...session, configuration: relayed });
  expect([...kept]).toEqual([["token of tls://server:7000", "secret"]]);
  expect(stub.window.showInputBox).toHaveBeenCalledWith(expect.objectContaining({ title: "Token of the relay at tls://server:7000" }));
});

test("nothing is asked where the configuration names a file with the token, or no address", async () => {
  for (const other of [{ tokenFile: "/t" }, { processId: 7 }, { request: "launch" }]) {
    const configured = { ...configuration, ...other };
    expect(addressOf(configured)).toBeUndefined();
    expect(await tokens().attachAgain({ ...session, configuration: configured })).toBe(false);
  }
  expect(addressOf({ ...configuration, hostName: "unix:/run/x" })).toBe("unix:/run/x");
  expect(stub.window.showInputBox).not.toHaveBeenCalled();
});
