// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { conditionItem, explainConditions } from "../src/commands/conditions";
import { nothingSampled, profile, secondsOf } from "../src/commands/profile";
import { usageItem } from "../src/views/objects";
import * as stub from "./vscode";

interface Asked {
  readonly path: string;
}

let samples = 7;
let cancel: () => void;
const panel = { webview: { html: "" } };
const customRequest = vi.fn();

beforeEach(() => {
  vi.resetAllMocks();
  samples = 7;
  panel.webview.html = "";
  customRequest.mockImplementation((_: string, asked?: Asked) => {
    if (asked !== undefined) {
      writeFileSync(asked.path, "<html>flames</html>");
    }
    return Promise.resolve({ totalText: "1.2 s", samples, durationMs: 1000, path: asked?.path, probes: [] });
  });
  stub.debug.activeDebugSession = { type: "jvmdebug", name: "Cart", customRequest };
  stub.debug.activeStackItem = undefined;
  stub.window.showQuickPick.mockImplementation((items: unknown[]) => Promise.resolve(items[3]));
  stub.window.showInputBox.mockResolvedValue("0.5");
  stub.window.showInformationMessage.mockResolvedValue(undefined);
  stub.window.createWebviewPanel.mockReturnValue(panel);
  stub.window.withProgress.mockImplementation((_: object, work: (progress: object, token: object) => unknown) => {
    const token = { onCancellationRequested: (listener: () => void) => (cancel = listener) };
    return work({}, token);
  });
});

function folder(): vscode.Uri {
  return stub.Uri.file(join(mkdtempSync(join(tmpdir(), "profile-")), "new")) as vscode.Uri;
}

test("what is chosen is measured for so long, and the flame graph is shown", async () => {
  await profile(folder());
  const [request, asked] = customRequest.mock.calls[0] as [string, Asked];
  expect(request).toBe("jvmdebug/profile");
  expect(asked).toEqual({ kind: "alloc", live: true, seconds: 0.5, path: asked.path });
  expect(panel.webview.html).toBe(readFileSync(asked.path, "utf8"));
  expect(stub.window.showInformationMessage.mock.calls[0]?.[0]).toContain("1.2 s in 7 samples");
  cancel();
  expect(customRequest).toHaveBeenLastCalledWith("jvmdebug/endProfile");
});

test("nothing sampled is said, and what is dismissed asks nothing", async () => {
  samples = 0;
  await profile(folder());
  expect(stub.window.createWebviewPanel).not.toHaveBeenCalled();
  expect(stub.window.showInformationMessage.mock.calls[0]?.[0]).toContain("nothing was sampled in ");
  customRequest.mockClear();
  stub.window.showInputBox.mockResolvedValue(undefined);
  await profile(folder());
  expect(customRequest).not.toHaveBeenCalled();
  expect(stub.window.showErrorMessage).not.toHaveBeenCalled();
});

test("a refusal is shown", async () => {
  customRequest.mockRejectedValue(new Error("a profile is being taken"));
  await profile(folder());
  expect(stub.window.showErrorMessage).toHaveBeenCalledWith("a profile is being taken");
});

test.each([
  ["10", 10],
  [" 0.5 ", 0.5],
  ["", undefined],
  ["-1", undefined],
  ["ten", undefined],
  ["1e9", undefined],
])("%j seconds", (text, expected) => {
  expect(secondsOf(text)).toBe(expected);
});

test("a class of the histogram", () => {
  const shown = [500, 12_345, 5e6, 7e13].map((bytes) => usageItem({ className: "A", instances: 1234, bytes }).description);
  expect(shown).toEqual(["1,234 objects, 500 bytes", "1,234 objects, 12.3 kB", "1,234 objects, 5.0 MB", "1,234 objects, 70.0 TB"]);
});

test("who checks a condition, and that there is none", async () => {
  const probe = { location: "Cart.java:7", condition: "a > 1", how: "event", why: "it has a lambda", hits: 2 };
  expect(conditionItem(probe)).toEqual({
    label: "a > 1",
    description: "held 2×",
    detail: "Cart.java:7, checked by the debugger: it has a lambda",
  });
  await explainConditions();
  expect(stub.window.showQuickPick.mock.calls[0]?.[0]).toEqual([{ label: "No breakpoint has a condition." }]);
});

test("an empty profile of allocations names the interval, and the time", () => {
  const kind = { label: "Allocations", asked: { kind: "alloc" } };
  expect(nothingSampled(kind, 2.34)).toBe(
    "Allocations: nothing was sampled in 2.3 s: a sample is taken about every 512 KB that are allocated: " +
      "the program allocated less, or was stopped.",
  );
  expect(nothingSampled({ label: "CPU time", asked: { kind: "cpu" } }, 60)).toContain("in 60 s: no thread used a CPU");
});

test("a message has the whole reason of the condition that is chosen", async () => {
  const long = "it calls a method whose code is not known before the program runs, ".repeat(4);
  customRequest.mockResolvedValue({ probes: [{ location: "Cart.java:7", condition: "a > 1", how: "event", why: long, hits: 2 }] });
  stub.window.showQuickPick.mockImplementation((items: unknown[]) => Promise.resolve(items[0]));
  await explainConditions();
  expect(stub.window.showInformationMessage).toHaveBeenCalledWith(`a > 1: Cart.java:7, checked by the debugger: ${long}`);
});
