// SPDX-License-Identifier: Apache-2.0
// The Test Explorer of VS Code, with its profiles Run, Debug and Record and Debug Failed, and the commands of the lenses above tests.

import * as vscode from "vscode";

import { core } from "../sources/core";
import { CoveredFile, LineTests, type RunLine } from "./coverage";
import { Discovery } from "./discovery";
import { recordAndDebugFailed } from "./recordFailed";
import { TestRuns } from "./runs";
import { TestTree } from "./tree";

/** A test that a file declares. */
export interface TestTarget {
  readonly file: string;
  readonly className: string;
  readonly method?: string;
}

export function testExplorer(recordings: vscode.Uri): vscode.Disposable[] {
  const controller = vscode.tests.createTestController("jvmdebug", "Java (jvmdebug)");
  const tree = new TestTree(controller);
  const discovery = new Discovery(tree);
  const lineTests = new LineTests();
  const runs = new TestRuns(controller, tree, lineTests);
  controller.resolveHandler = (item) => (item === undefined ? discovery.all() : Promise.resolve());
  controller.refreshHandler = () => discovery.again();
  const profile = (name: string, isDebugging: boolean): vscode.TestRunProfile =>
    controller.createRunProfile(
      name,
      isDebugging ? vscode.TestRunProfileKind.Debug : vscode.TestRunProfileKind.Run,
      async (request, token) => {
        await runs.start(request, { isDebugging }, token);
      },
      true,
    );
  const profiles = { run: profile("Run", false), debug: profile("Debug", true), coverage: coverageProfiles(controller, runs) };
  const recording = controller.createRunProfile(
    "Record and Debug Failed",
    vscode.TestRunProfileKind.Debug,
    (request, token) => recordAndDebugFailed(runs, recordings, request, token),
    false,
  );
  const start = async (target: TestTarget, isDebugging: boolean): Promise<void> => {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(target.file));
    await document.save();
    await discovery.read(document);
    const item = tree.find(target.file, target.className, target.method);
    if (item !== undefined) {
      const request = new vscode.TestRunRequest([item], undefined, isDebugging ? profiles.debug : profiles.run);
      const source = new vscode.CancellationTokenSource();
      if (await runs.start(request, { isDebugging }, source.token)) {
        // VS Code itself opens it only for runs that begin in its own views.
        await vscode.commands.executeCommand("workbench.panel.testResults.view.focus", { preserveFocus: true });
      }
    }
  };
  return [
    controller,
    discovery,
    runs,
    profiles.run,
    profiles.debug,
    recording,
    ...profiles.coverage,
    ...lineTestsShown(lineTests),
    vscode.commands.registerCommand("jvmdebug.runCovering", async (at: RunLine) => {
      await runs.start(
        new vscode.TestRunRequest(tree.bySelectors(lineTests.testsOf(at)), undefined, profiles.run),
        {},
        new vscode.CancellationTokenSource().token,
      );
    }),
    vscode.debug.registerDebugAdapterTrackerFactory("jvmdebug", runs),
    vscode.commands.registerCommand("jvmdebug.runTest", (target: TestTarget) => start(target, false)),
    vscode.commands.registerCommand("jvmdebug.debugTest", (target: TestTarget) => start(target, true)),
  ];
}

/** The profiles with coverage: the editor's gutter shows which lines the tests run, a hover which test each. */
function coverageProfiles(controller: vscode.TestController, runs: TestRuns): vscode.TestRunProfile[] {
  const named = [
    ["Run with Coverage", true],
    ["Run with Coverage of Each Test", "perTest"],
  ] as const;
  return named.map(([name, covering]) => {
    const made = controller.createRunProfile(
      name,
      vscode.TestRunProfileKind.Coverage,
      async (request, token) => {
        await runs.start(request, { attributes: { coverage: covering } }, token);
      },
      covering === true,
    );
    made.loadDetailedCoverage = (_run, file) =>
      Promise.resolve(file instanceof CoveredFile ? file.details() : []);
    return made;
  });
}

function lineTestsShown(lineTests: LineTests): vscode.Disposable[] {
  return [
    ...["java", "kotlin"].map((language) => vscode.languages.registerHoverProvider({ language }, lineTests)),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) {
        lineTests.forget(document.uri.fsPath);
      }
    }),
  ];
}

/**
 * Returns the test to which a line of a document belongs: the method that begins there or above,
 * else the class.
 */
export async function testAt(document: vscode.TextDocument, line: number): Promise<TestTarget | undefined> {
  const { tests: found } = await core.declared(document);
  const first = found[0];
  if (first === undefined) {
    return undefined;
  }
  const around = found.filter((each) => each.firstLine <= line + 1).at(-1) ?? first;
  const method = around.methods.filter((each) => each.firstLine <= line + 1).at(-1);
  const target = { file: document.uri.fsPath, className: around.className };
  return method === undefined ? target : { ...target, method: method.name };
}
