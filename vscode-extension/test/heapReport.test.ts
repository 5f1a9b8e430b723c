// SPDX-License-Identifier: Apache-2.0
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { dumpName, heapDump } from "../src/commands/heapDump";
import { HeapReports, textPage } from "../src/views/heapReport";
import * as stub from "./vscode";

let directory = "";
let reports: HeapReports;
let cancel: () => void;
let closed: () => void;
const reported: string[] = [];
const panel = {
  active: true,
  webview: { html: "", options: {} },
  dispose: vi.fn(),
  onDidDispose: (listener: () => void) => {
    closed = listener;
    return { dispose: () => undefined };
  },
};

/** A `jvmdebug` that notes how it was called, and does what is given with the path of the report in `$4`. */
function command(text: string): void {
  const path = join(directory, "jvmdebug");
  writeFileSync(path, `#!/bin/sh\necho "$@" >>"${directory}/calls"\n${text}\n`);
  chmodSync(path, 0o755);
  stub.workspace.getConfiguration.mockReturnValue({ get: () => path });
}

function open(name = "app.hprof"): Promise<void> {
  const document = { uri: uri(join(directory, name)), dispose: () => undefined };
  return reports.resolveCustomEditor(document, panel as unknown as vscode.WebviewPanel);
}

function uri(fsPath: string): vscode.Uri {
  return { scheme: "file", fsPath } as vscode.Uri;
}

beforeEach(() => {
  vi.resetAllMocks();
  directory = mkdtempSync(join(tmpdir(), "heap-"));
  reports = new HeapReports(uri(join(directory, "reports")));
  panel.webview.html = "";
  reported.length = 0;
  writeFileSync(join(directory, "app.hprof"), "JAVA PROFILE");
  stub.window.withProgress.mockImplementation((_: object, work: (progress: object, token: object) => unknown) => {
    const token = { onCancellationRequested: (listener: () => void) => ((cancel = listener), { dispose: () => undefined }) };
    return work({ report: ({ message }: { message: string }) => reported.push(message) }, token);
  });
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

test("a dump is read once for each state of its file", async () => {
  command('echo "reading: 40%" >&2; echo "<html>report</html>" >"$4"');
  await open();
  expect(panel.webview.html).toBe("<html>report</html>\n");
  expect(panel.webview.options).toEqual({ enableScripts: true, localResourceRoots: [] });
  expect(reported).toEqual(["reading: 40%"]);
  await open();
  expect(readFileSync(join(directory, "calls"), "utf8").split("\n")).toHaveLength(2);
  writeFileSync(join(directory, "app.hprof"), "JAVA PROFILE 1.0.2");
  await open();
  expect(readFileSync(join(directory, "calls"), "utf8").split("\n")).toHaveLength(3);
  await reports.openInBrowser();
  expect(stub.env.openExternal).toHaveBeenCalledOnce();
});

test("why it cannot be read is said in the tab, escaped, and nothing is left", async () => {
  command('echo "jvmdebug: <app.hprof> is no heap dump" >&2; exit 3');
  await open();
  expect(panel.webview.html).toContain("could not be read: &lt;app.hprof&gt; is no heap dump");
  expect(panel.webview.html).toContain("default-src 'none'");
  expect(readdirSync(join(directory, "reports"))).toEqual([]);
});

test.each([
  ["the progress", () => { cancel(); }],
  ["the tab", () => { closed(); }],
])("to end %s ends the command", async (_, end) => {
  command(`echo "$$" >"${directory}/pid"; echo half >"$4"; echo "reading: 1%" >&2; exec sleep 60`);
  const opened = open();
  await vi.waitFor(() => { expect(reported).not.toEqual([]); });
  end();
  await opened;
  expect(panel.dispose).toHaveBeenCalledOnce();
  expect(readdirSync(join(directory, "reports"))).toEqual([]);
  expect(existsSync(`/proc/${readFileSync(join(directory, "pid"), "utf8").trim()}`)).toBe(false);
});

test("a dump of the program that is debugged is written and opened", async () => {
  const customRequest = vi.fn(() => Promise.resolve({}));
  stub.debug.activeDebugSession = { type: "jvmdebug", name: "Cart", customRequest };
  stub.window.showSaveDialog.mockResolvedValue(uri("/tmp/Cart.hprof"));
  await heapDump();
  expect(customRequest).toHaveBeenCalledWith("jvmdebug/heapDump", { path: "/tmp/Cart.hprof" });
  expect(stub.commands.executeCommand).toHaveBeenCalledWith("vscode.openWith", uri("/tmp/Cart.hprof"), "jvmdebug.heapReport");
});

test.each([
  ["`jvmdebug/heapDump` was cancelled", 0],
  ["cannot write /x: Permission denied", 1],
])("%s", async (text, shown) => {
  const customRequest = vi.fn(() => Promise.reject(new Error(text)));
  stub.debug.activeDebugSession = { type: "jvmdebug", name: "Cart", customRequest };
  stub.window.showSaveDialog.mockResolvedValue(uri("/x/Cart.hprof"));
  await heapDump();
  expect(stub.window.showErrorMessage).toHaveBeenCalledTimes(shown);
  expect(stub.commands.executeCommand).not.toHaveBeenCalled();
});

test("names of files", () => {
  expect(["shop.Main (1)", "../a/b", "…"].map(dumpName)).toEqual(["shop.Main-1.hprof", "a-b.hprof", "heap.hprof"]);
  expect(textPage('<a href="x">&')).toContain("&lt;a href=&quot;x&quot;&gt;&amp;");
});
