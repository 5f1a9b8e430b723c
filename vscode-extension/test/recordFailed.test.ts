// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { fileName, recordAndDebugFailed } from "../src/testing/recordFailed";
import type { FailedTest } from "../src/testing/results";
import type { Group, TestRuns, Way } from "../src/testing/runs";
import * as stub from "./vscode";

const token = { isCancellationRequested: false } as vscode.CancellationToken;
const group = { root: {}, selectors: new Set(["shop.CartTest"]), wanted: new Set() } as unknown as Group;
let folder: string;

function failed(...names: string[]): Map<string, FailedTest> {
  return new Map(
    names.map((name) => {
      const selector = `shop.CartTest#${name}`;
      return [selector, { item: new stub.TestItem(name, name) as unknown as vscode.TestItem, selector, said: "wrong $(zap)" }];
    }),
  );
}

interface Started {
  readonly selectors: string[];
  readonly way: Way;
}

/** Runs the profile with what fails first and again, and returns what was run. */
async function run(first: Map<string, FailedTest>, again: Map<string, FailedTest>): Promise<Started[]> {
  const started: Started[] = [];
  const runs = {
    eachGroup: (_: unknown, __: unknown, start: (run: unknown, each: Group) => Promise<void>) => start({}, group),
    startGroup: (_: unknown, { selectors }: Group, way: Way) => {
      started.push({ selectors: [...selectors], way });
      const path = way.attributes?.["recording"];
      if (typeof path === "string") {
        writeFileSync(path, "");
      }
      const found = started.length === 1 ? first : again;
      return Promise.resolve({ failed: found, hasFailed: found.size > 0, hasUnfinished: false });
    },
  } as unknown as TestRuns;
  const request = {} as vscode.TestRunRequest;
  await recordAndDebugFailed(runs, { fsPath: folder } as vscode.Uri, request, token);
  return started;
}

beforeEach(() => {
  vi.resetAllMocks();
  folder = mkdtempSync(join(tmpdir(), "recordings-"));
});

test("what has failed is run again with a recording, which opens at the failure", async () => {
  const started = await run(failed("adds"), failed("adds"));
  expect(started.map((each) => each.selectors)).toEqual([["shop.CartTest"], ["shop.CartTest#adds"]]);
  expect(started[0]?.way).toEqual({});
  const path = started[1]?.way.attributes?.["recording"];
  expect(stub.debug.startDebugging.mock.calls[0]?.[1]).toMatchObject({ recording: path, failure: "shop.CartTest#adds" });
  expect(stub.window.showWarningMessage).not.toHaveBeenCalled();
});

test("of several failures one is chosen", async () => {
  stub.window.showQuickPick.mockImplementation((items: unknown[]) => Promise.resolve(items[1]));
  await run(failed("adds", "takes"), failed("adds", "takes"));
  expect(stub.debug.startDebugging.mock.calls[0]?.[1]).toMatchObject({ failure: "shop.CartTest#takes" });
  const [items] = stub.window.showQuickPick.mock.calls[0] as [vscode.QuickPickItem[]];
  expect(items.map((each) => each.description ?? "").join(" ")).not.toContain("$(");
});

test("what passes the second time is told, and nothing is opened", async () => {
  await run(failed("adds"), failed());
  expect(stub.window.showWarningMessage.mock.calls[0]?.[0]).toMatch(/^Failed, and passed when run again with recording: adds\./);
  expect(stub.debug.startDebugging).not.toHaveBeenCalled();
});

test("without a failure nothing is recorded", async () => {
  expect(await run(failed(), failed())).toHaveLength(1);
  expect(stub.window.showInformationMessage).toHaveBeenCalledWith("No test has failed: nothing was recorded.");
  expect(readdirSync(folder)).toEqual([]);
});

test("files have the names of tests, and old ones are deleted", async () => {
  const now = new Date(2026, 10, 30, 18, 5, 9, 120);
  expect(fileName(["shop.CartTest#adds", "shop.CartTest#takes[2]"], now)).toBe("CartTest 2026-11-30 18-05-09-120.jvmrec");
  expect(fileName(["shop.CartTest#adds", "shop.TillTest"], now)).toBe("tests 2026-11-30 18-05-09-120.jvmrec");
  for (let year = 2000; year < 2012; year++) {
    writeFileSync(join(folder, `${year % 2 === 0 ? "A" : "B"} ${String(year)}-11-30 18-05-09-120.jvmrec`), "");
  }
  writeFileSync(join(folder, "notes.txt"), "");
  await run(failed("adds"), failed("adds"));
  const left = readdirSync(folder);
  expect(left.filter((each) => each.endsWith(".jvmrec"))).toHaveLength(10);
  expect(left).toContain("notes.txt");
  expect(left.some((each) => each.includes("2002"))).toBe(false);
});
