// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { type ReplacedSources, SavedSources, underlined } from "../src/commands/saveAndReplace";
import * as stub from "./vscode";

type Listener = (one: unknown) => void;

const customRequest = vi.fn();
const session = { id: "1", type: "jvmdebug", configuration: {}, customRequest } as unknown as vscode.DebugSession;
const status = { text: "", tooltip: "", command: undefined as unknown, show: vi.fn(), hide: vi.fn(), dispose: vi.fn() };
const diagnostics = { set: vi.fn(), clear: vi.fn(), delete: vi.fn(), dispose: vi.fn() };
const nothing: ReplacedSources = { classes: [], problems: [], strangers: [], oldFrames: [] };
const redefined = { path: "/c/A.class", name: "A", outcome: "redefined" as const };
let started: Listener;
let ended: Listener;
let saved: Listener;
let told: Listener;
let mode = "onSave";
let sources: SavedSources;

beforeEach(() => {
  vi.resetAllMocks();
  vi.useFakeTimers();
  mode = "onSave";
  stub.workspace.getConfiguration.mockImplementation(() => ({ get: () => mode }));
  stub.languages.createDiagnosticCollection.mockReturnValue(diagnostics);
  stub.window.createStatusBarItem.mockReturnValue(status);
  const keep = (take: (listener: Listener) => void) => (listener: Listener) => {
    take(listener);
    return { dispose: () => undefined };
  };
  stub.debug.onDidStartDebugSession.mockImplementation(keep((one) => (started = one)));
  stub.debug.onDidTerminateDebugSession.mockImplementation(keep((one) => (ended = one)));
  stub.workspace.onDidSaveTextDocument.mockImplementation(keep((one) => (saved = one)));
  stub.debug.onDidReceiveDebugSessionCustomEvent.mockImplementation(keep((one) => (told = one)));
  sources = new SavedSources();
  started(session);
});

afterEach(() => {
  sources.dispose();
  vi.useRealTimers();
});

async function save(...paths: string[]): Promise<void> {
  for (const fsPath of paths) {
    saved({ languageId: "java", uri: { scheme: "file", fsPath } });
  }
  await vi.advanceTimersByTimeAsync(200);
}

test("files that are saved together are compiled together, and the status bar says what happened", async () => {
  customRequest.mockResolvedValue({ ...nothing, classes: [redefined] });
  await save("/w/A.java", "/w/B.java");
  expect(customRequest).toHaveBeenCalledExactlyOnceWith("jvmdebug/replaceSources", { paths: ["/w/A.java", "/w/B.java"] });
  expect(status.text).toMatch(/^\$\(zap\) 1 class replaced in \d/);
  expect(stub.window.showErrorMessage).not.toHaveBeenCalled();
});

test("an error is a squiggle and one line, and the file is compiled again with the next one", async () => {
  const problem = { path: "/w/A.java", line: 3, column: 5, message: "';' expected", severity: "error" as const };
  customRequest.mockResolvedValue({ ...nothing, problems: [problem] });
  await save("/w/A.java");
  expect(status.text).toBe("$(error) A.java:3: ';' expected");
  expect(status.command).toBe("workbench.actions.view.problems");
  const [uri, items] = diagnostics.set.mock.calls[0] as [{ fsPath: string }, { range: { line: number }; message: string }[]];
  expect([uri.fsPath, items[0]?.message]).toEqual(["/w/A.java", "';' expected"]);
  customRequest.mockResolvedValue({ ...nothing, classes: [redefined] });
  await save("/w/B.java");
  expect(customRequest).toHaveBeenLastCalledWith("jvmdebug/replaceSources", { paths: ["/w/A.java", "/w/B.java"] });
  expect(diagnostics.set).toHaveBeenCalledWith(expect.objectContaining({ fsPath: "/w/A.java" }), []);
  expect(stub.window.showErrorMessage).not.toHaveBeenCalled();
});

test("a frame of old code can be restarted", async () => {
  const oldFrames = [{ frameId: 7, threadId: 1, name: "A.f() (old code)" }];
  customRequest.mockResolvedValue({ ...nothing, classes: [redefined], oldFrames });
  stub.window.showInformationMessage.mockResolvedValue("Restart Frame");
  await save("/w/A.java");
  expect(stub.window.showInformationMessage).toHaveBeenCalledWith(expect.stringMatching(/^A\.f\(\) goes on/), "Restart Frame");
  expect(customRequest).toHaveBeenLastCalledWith("restartFrame", { frameId: 7 });
});

test("what is saved while the restart is still offered is replaced too", async () => {
  const oldFrames = [{ frameId: 7, threadId: 1, name: "A.f() (old code)" }];
  customRequest.mockResolvedValue({ ...nothing, classes: [redefined], oldFrames });
  stub.window.showInformationMessage.mockReturnValue(new Promise(() => undefined)); // never answered
  await save("/w/A.java");
  await save("/w/B.java");
  expect(customRequest).toHaveBeenLastCalledWith("jvmdebug/replaceSources", { paths: ["/w/B.java"] });
});

test("what the VM refuses is one line with a restart", async () => {
  const refused = { ...redefined, outcome: "refused" as const, reason: "new method void f()" };
  customRequest.mockResolvedValue({ ...nothing, classes: [refused] });
  await save("/w/A.java");
  expect(status.text).toContain("A was not: new method void f(). Press to restart");
  expect(status.command).toMatchObject({ command: "jvmdebug.restartSession" });
});

test("by hand nothing happens on save, and never nothing is kept", async () => {
  mode = "manual";
  await save("/w/A.java");
  expect(customRequest).not.toHaveBeenCalled();
  expect(sources.hasWaiting(session)).toBe(true);
  customRequest.mockResolvedValue({ ...nothing, strangers: ["/w/A.java"] });
  await sources.replace(session);
  expect(status.hide).toHaveBeenCalled();
  mode = "never";
  await save("/w/A.java");
  expect(sources.hasWaiting(session)).toBe(false);
});

test("files of other languages and after the end of the session are left alone", async () => {
  saved({ languageId: "json", uri: { scheme: "file", fsPath: "/w/a.json" } });
  ended(session);
  await save("/w/A.java");
  expect(customRequest).not.toHaveBeenCalled();
  expect(diagnostics.clear).toHaveBeenCalled();
});

test("what the build says when a program is started is underlined until the next start", () => {
  const problem = { path: "/w/A.java", line: 3, column: 5, message: "';' expected", isError: true };
  told({ event: "jvmdebug/problems", session, body: { problems: [problem, { ...problem, line: 4, isError: false }] } });
  const [uri, items] = diagnostics.set.mock.calls[0] as [{ fsPath: string }, { severity: number }[]];
  expect([uri.fsPath, items.map((each) => each.severity)]).toEqual(["/w/A.java", [0, 1]]);
  told({ event: "jvmdebug/problems", session, body: { problems: [] } });
  expect(diagnostics.clear).toHaveBeenCalledTimes(2);
  told({ event: "jvmdebug/problems", session: { ...session, type: "node" }, body: { problems: [problem] } });
  expect(diagnostics.set).toHaveBeenCalledOnce();
});

test("a program that does not compile gives one message; one that runs and tests have another place for it", () => {
  const problem = { path: "/w/A.java", line: 3, column: 5, message: "';' expected", isError: true };
  const body = { problems: [problem, { ...problem, line: 4 }, { ...problem, isError: false }] };
  stub.window.showErrorMessage.mockResolvedValue(undefined);
  const tests = { ...session, id: "2", configuration: { __testRun: 1 } };
  told({ event: "jvmdebug/problems", session: tests, body });
  expect(stub.window.showErrorMessage).not.toHaveBeenCalled();
  told({ event: "jvmdebug/problems", session: { ...session, id: "3" }, body });
  const text = "Not started, A.java:3: ';' expected (and 1 more in Problems)";
  expect(stub.window.showErrorMessage).toHaveBeenCalledExactlyOnceWith(text, "Go to Error");
});

test("what a refused restart marks is compiled with the next file that is saved, and unmarked when all compiles", async () => {
  const problem = { path: "/w/A.java", line: 3, column: 5, message: "';' expected", isError: true };
  stub.window.showErrorMessage.mockResolvedValue(undefined);
  told({ event: "jvmdebug/problems", session, body: { problems: [problem] } });
  expect(stub.window.showErrorMessage).toHaveBeenCalledExactlyOnceWith("Not restarted, A.java:3: ';' expected", "Go to Error");
  diagnostics.clear.mockClear();
  customRequest.mockResolvedValue({ ...nothing, problems: [{ ...problem, severity: "error" }] });
  await save("/w/B.java");
  expect(customRequest).toHaveBeenLastCalledWith("jvmdebug/replaceSources", { paths: ["/w/A.java", "/w/B.java"] });
  expect(diagnostics.clear).not.toHaveBeenCalled();
  customRequest.mockResolvedValue({ ...nothing, classes: [redefined] });
  await save("/w/A.java");
  expect(diagnostics.clear).toHaveBeenCalledTimes(2); // of the restart, and of what was saved
});

test.each([
  ["    cart.totl();", 9, "totl"],
  ["    cart . totl();", 10, "totl"],
  ["    int x = total(1);", 18, "total"],
  ["    int total = a+b;", 18, "+"],
  ["    int total = name;", 17, "name"],
  ["    return total", 16, "total"],
  ["    return x;", 80, ""],
])("what is underlined in %j at column %i", (text, column, word) => {
  const [start, end] = underlined(text, column - 1);
  expect(text.slice(start, end)).toBe(word);
});
