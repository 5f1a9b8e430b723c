// SPDX-License-Identifier: Apache-2.0
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { Core } from "../src/sources/core";
import * as stub from "./vscode";

// Answers `declared` with the text, notes each start, and ends when it is asked about a field.
const PROGRAM = `#!/usr/bin/env node
const { appendFileSync } = require("node:fs");
appendFileSync(__filename + ".starts", process.argv[2] + "\\n");
require("node:readline").createInterface(process.stdin).on("line", (line) => {
  const { id, ask, text, line: at } = JSON.parse(line);
  if (ask === "field") process.exit(2);
  const answer = ask === "method" ? String(at) : { mains: [{ className: text, line: 1 }], tests: [] };
  console.log(text === "bad" ? "no JSON" : "");
  console.log(JSON.stringify(ask === "names" ? { id, error: "unknown" } : { id, answer }));
});
`;

let command: string;
let core: Core;

function document(text: string, version = 1): vscode.TextDocument {
  return { uri: { fsPath: "/w/A.java", scheme: "file" }, version, getText: () => text } as unknown as vscode.TextDocument;
}

function starts(): string[] {
  return readFileSync(`${command}.starts`, "utf8").trim().split("\n");
}

beforeEach(() => {
  command = join(mkdtempSync(join(tmpdir(), "core-")), "jvmdebug");
  writeFileSync(command, PROGRAM);
  chmodSync(command, 0o755);
  stub.workspace.workspaceFolders = undefined;
  stub.workspace.getConfiguration.mockReturnValue({ get: () => command });
  core = new Core();
});

afterEach(() => {
  core.dispose();
});

test("one process answers all questions, and each version of a text is asked once", async () => {
  const first = document("One");
  const ask = vi.spyOn(core as unknown as { ask: () => Promise<unknown> }, "ask");
  const found = await Promise.all([core.declared(first), core.declared(document("Two")), core.declared(first)]);
  expect(found.map(({ mains }) => mains[0]?.className)).toEqual(["One", "Two", "One"]);
  expect(ask).toHaveBeenCalledTimes(2);
  expect(await core.at("method", first, 4)).toBe("5"); // lines there are from 1
  expect(starts()).toEqual(["sources"]);
});

test("an error is one of its question alone, and what is no answer is passed over", async () => {
  await expect(core.at("names", document("A"), 0)).rejects.toThrow("unknown");
  expect((await core.declared(document("bad"))).mains).toHaveLength(1);
  expect(starts()).toHaveLength(1);
});

test("when the process ends, nothing is known for a moment, and then it is begun again", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    const asked = document("One");
    await expect(core.at("field", asked, 0)).rejects.toThrow("the core has ended");
    expect(await core.declared(asked)).toEqual({ mains: [], tests: [] });
    expect(starts()).toHaveLength(1);
    vi.setSystemTime(Date.now() + 6_000);
    expect((await core.declared(asked)).mains).toHaveLength(1);
    expect(starts()).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

test("without the command nothing is known", async () => {
  stub.workspace.getConfiguration.mockReturnValue({ get: () => "/nowhere/jvmdebug" });
  expect(await core.declared(document("One"))).toEqual({ mains: [], tests: [] });
  expect(await core.below("/w")).toEqual({ files: [], compiled: [] });
});
