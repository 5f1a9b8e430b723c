// SPDX-License-Identifier: Apache-2.0
// The profile "Record and Debug Failed": runs tests, runs those that have failed once more and records them, and opens the
// recording at the line that failed.

import { existsSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

import * as vscode from "vscode";

import { recordingConfiguration } from "../commands/recording";
import { showError } from "../commands/session";
import { plain } from "../plain";
import type { FailedTest } from "./results";
import type { Group, TestRuns } from "./runs";

/** The number of recordings of tests that are kept; older ones are deleted. */
const MOST_KEPT = 10;
const ENDING = ".jvmrec";

/** A test that has failed again, and the recording of that. */
interface RecordedFailure extends FailedTest {
  readonly path: string;
}

/** Runs the tests of a request as the profile does; the recordings are written to `folder`. */
export async function recordAndDebugFailed(
  runs: TestRuns,
  folder: vscode.Uri,
  request: vscode.TestRunRequest,
  token: vscode.CancellationToken,
): Promise<void> {
  const failures: RecordedFailure[] = [];
  const passed: FailedTest[] = [];
  let hasFailed = false;
  try {
    await runs.eachGroup(request, token, async (run, group) => {
      const first = await runs.startGroup(run, group, {}, token);
      hasFailed ||= first.hasFailed;
      if (first.failed.size === 0 || token.isCancellationRequested) {
        return;
      }
      const path = await newFile(folder.fsPath, [...first.failed.keys()]);
      const again = await runs.startGroup(run, groupOf(group, first.failed), { attributes: { recording: path } }, token);
      for (const each of first.failed.values()) {
        const failed = again.failed.get(each.selector);
        if (failed !== undefined) {
          failures.push({ ...failed, path });
        } else if (!again.hasUnfinished) {
          passed.push(each);
        }
      }
    });
    tellPassed(passed);
    if (!token.isCancellationRequested) {
      await openOne(failures, hasFailed);
    }
  } catch (error) {
    showError(error);
  }
}

/** The tests of a group that have failed. */
function groupOf({ root }: Group, failed: ReadonlyMap<string, FailedTest>): Group {
  return { root, selectors: new Set(failed.keys()), wanted: new Set([...failed.values()].map((each) => each.item)) };
}

async function newFile(folder: string, selectors: readonly string[]): Promise<string> {
  await mkdir(folder, { recursive: true });
  const known = (await readdir(folder)).filter((each) => each.endsWith(ENDING)).sort(byTime);
  await Promise.all(known.slice(0, Math.max(0, known.length - MOST_KEPT + 1)).map((each) => rm(join(folder, each), { force: true })));
  return join(folder, fileName(selectors, new Date()));
}

/** Makes a name that says which tests and when: `CartTest 2026-11-30 18-05-09-120.jvmrec`. */
export function fileName(selectors: readonly string[], now: Date): string {
  const classes = new Set(selectors.map((each) => /^[\w$.]+/.exec(each)?.[0].split(".").at(-1) ?? "tests"));
  const [only = "tests"] = classes;
  const time = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 23);
  return `${classes.size === 1 ? only : "tests"} ${time.replace("T", " ").replaceAll(/[:.]/g, "-")}${ENDING}`;
}

function byTime(one: string, other: string): number {
  const time = (name: string): string => name.slice(-(23 + ENDING.length));
  return time(one).localeCompare(time(other));
}

function tellPassed(passed: readonly FailedTest[]): void {
  if (passed.length > 0) {
    const names = passed.map((each) => each.item.label).join(", ");
    void vscode.window.showWarningMessage(`Failed, and passed when run again with recording: ${names}. There is no failure to show.`);
  }
}

async function openOne(failures: readonly RecordedFailure[], hasFailed: boolean): Promise<void> {
  const [first] = failures;
  if (first === undefined) {
    if (!hasFailed) {
      void vscode.window.showInformationMessage("No test has failed: nothing was recorded.");
    }
    return;
  }
  const items = failures.map((each) => ({ label: plain(each.item.label), description: plain(each.said), failure: each }));
  const chosen = items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { title: "Which Failure?", matchOnDescription: true });
  if (chosen === undefined) {
    return;
  }
  const { path, selector } = chosen.failure;
  if (!existsSync(path)) {
    void vscode.window.showErrorMessage("The tests were run again, but not recorded.");
    return;
  }
  await vscode.debug.startDebugging(vscode.workspace.workspaceFolders?.[0], { ...recordingConfiguration(path), failure: selector });
}
