// SPDX-License-Identifier: Apache-2.0
// Registers the handlers of the contributions in package.json. No logic of its own.

import { join } from "node:path";

import * as vscode from "vscode";

import { AdapterFactory, install, StartTrackerFactory, useEnvironment } from "./adapter";
import { BreakpointMessages } from "./breakpointMessages";
import { attachToPort, attachToProcess, pickProcess, specifyProgramArguments } from "./commands/attach";
import { explainConditions } from "./commands/conditions";
import { openEvaluate, SCRATCH, ScratchCompletions, SelectionHovers, textToEvaluate } from "./commands/evaluate";
import { debugFile, runFile } from "./commands/file";
import { forceEarlyReturn, popFrame, runToBytecode, showOrigins, throwException } from "./commands/frame";
import { offerFullMode, restartInFullMode } from "./commands/fullMode";
import { ClassFileWatcher, hotCodeReplace } from "./commands/hotCodeReplace";
import { Guests } from "./commands/guests";
import { Observations, type VariableContext } from "./commands/observe";
import { heapDump } from "./commands/heapDump";
import { tellNotStarted } from "./commands/notStarted";
import { profile } from "./commands/profile";
import { openRecording, Recordings } from "./commands/recording";
import { restartSession, SavedSources } from "./commands/saveAndReplace";
import { offerTakeOver, takeOver } from "./commands/takeOver";
import { followSettings, toggle } from "./commands/values";
import { FirstStop, openWalkthrough } from "./commands/walkthrough";
import { ConfigurationProvider, DynamicConfigurationProvider } from "./configuration";
import { Hovers } from "./hovers";
import { InlineValues } from "./inlineValues";
import { PrivateEnvironment } from "./install";
import { debugMain, Lenses, runMain } from "./lenses";
import { core } from "./sources/core";
import { remember, selectMainClass } from "./sources/mainClasses";
import { HERE, programName } from "./system";
import { testExplorer } from "./testing/explorer";
import { Tokens } from "./tokens";
import { EvaluatedView } from "./views/evaluated";
import { HEAP_REPORT, HeapReports } from "./views/heapReport";
import { HitsView } from "./views/hits";
import { type Node, ObjectsView } from "./views/objects";
import { followSessions } from "./views/moment";
import { goToMoment, RecordedCallsView } from "./views/recordedCalls";
import { ThreadsView } from "./views/threads";

export const DEBUG_TYPE = "jvmdebug";

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("jvmdebug");
  const carried = context.asAbsolutePath(join("jvmdebug", programName("jvmdebug", HERE)));
  useEnvironment(new PrivateEnvironment(context.globalStorageUri.fsPath, log), carried);
  remember(context.workspaceState);
  void offerTakeOver(context.workspaceState);
  const saved = new SavedSources();
  const tokens = new Tokens(context.secrets);
  const observations = new Observations();
  const guests = new Guests();
  const breakpointMessages = new BreakpointMessages();
  context.subscriptions.push(
    log,
    ...["java", "kotlin"].flatMap((language) => [
      vscode.languages.registerCodeLensProvider({ language }, new Lenses()),
      vscode.languages.registerInlineValuesProvider({ language }, new InlineValues()),
      vscode.languages.registerEvaluatableExpressionProvider({ language }, new Hovers()),
      vscode.languages.registerHoverProvider({ language }, new SelectionHovers()),
    ]),
    vscode.commands.registerCommand("jvmdebug.runMain", runMain),
    vscode.commands.registerCommand("jvmdebug.debugMain", debugMain),
    vscode.commands.registerCommand("jvmdebug.selectMainClass", selectMainClass),
    vscode.commands.registerCommand("jvmdebug.attachToProcess", attachToProcess),
    vscode.commands.registerCommand("jvmdebug.attachToPort", attachToPort),
    vscode.commands.registerCommand("jvmdebug.pickProcess", pickProcess),
    vscode.commands.registerCommand("jvmdebug.specifyProgramArguments", specifyProgramArguments),
    vscode.commands.registerCommand("jvmdebug.takeOver", takeOver),
    vscode.commands.registerCommand("jvmdebug.install", install),
    vscode.debug.registerDebugAdapterDescriptorFactory(DEBUG_TYPE, new AdapterFactory(tokens)),
    vscode.debug.registerDebugAdapterTrackerFactory(DEBUG_TYPE, new StartTrackerFactory()),
    vscode.debug.registerDebugAdapterTrackerFactory(DEBUG_TYPE, breakpointMessages),
    breakpointMessages,
    vscode.debug.registerDebugConfigurationProvider(DEBUG_TYPE, new ConfigurationProvider()),
    vscode.debug.registerDebugConfigurationProvider(
      DEBUG_TYPE,
      new DynamicConfigurationProvider(),
      vscode.DebugConfigurationProviderTriggerKind.Dynamic,
    ),
    vscode.commands.registerCommand("jvmdebug.debugFile", debugFile),
    vscode.commands.registerCommand("jvmdebug.runFile", runFile),
    vscode.commands.registerCommand("jvmdebug.popFrame", popFrame),
    vscode.commands.registerCommand("jvmdebug.showOrigins", showOrigins),
    vscode.commands.registerCommand("jvmdebug.forceEarlyReturn", forceEarlyReturn),
    vscode.commands.registerCommand("jvmdebug.hotCodeReplace", () => hotCodeReplace(saved)),
    vscode.commands.registerCommand("jvmdebug.restartSession", restartSession),
    vscode.commands.registerCommand("jvmdebug.throwException", throwException),
    vscode.commands.registerCommand("jvmdebug.runToBytecode", runToBytecode),
    vscode.commands.registerCommand("jvmdebug.toggleHex", () => toggle("hex")),
    vscode.commands.registerCommand("jvmdebug.untoggleHex", () => toggle("hex")),
    vscode.commands.registerCommand("jvmdebug.toggleQualifiedNames", () => toggle("qualifiedNames")),
    vscode.commands.registerCommand("jvmdebug.untoggleQualifiedNames", () => toggle("qualifiedNames")),
    vscode.commands.registerCommand("jvmdebug.toggleToString", () => toggle("toString")),
    vscode.commands.registerCommand("jvmdebug.untoggleToString", () => toggle("toString")),
    vscode.commands.registerCommand("jvmdebug.toggleStepFilters", () => toggle("stepFilters")),
    vscode.commands.registerCommand("jvmdebug.untoggleStepFilters", () => toggle("stepFilters")),
    vscode.commands.registerCommand("jvmdebug.toggleJustMyCode", () => toggle("justMyCode")),
    vscode.commands.registerCommand("jvmdebug.untoggleJustMyCode", () => toggle("justMyCode")),
    vscode.commands.registerCommand("jvmdebug.toggleSuspend", () => toggle("suspend")),
    vscode.commands.registerCommand("jvmdebug.untoggleSuspend", () => toggle("suspend")),
    followSettings(),
    vscode.debug.registerDebugAdapterTrackerFactory(DEBUG_TYPE, new FirstStop(context.globalState)),
    vscode.commands.registerCommand("jvmdebug.openWalkthrough", openWalkthrough),
    vscode.commands.registerCommand("jvmdebug.restartInFullMode", restartInFullMode),
    vscode.debug.onDidReceiveDebugSessionCustomEvent(offerFullMode),
    vscode.debug.onDidReceiveDebugSessionCustomEvent((event) => tellNotStarted(event, log, tokens)),
    tokens,
    vscode.commands.registerCommand("jvmdebug.traceMethod", () => observations.traceMethod()),
    vscode.commands.registerCommand("jvmdebug.whoSets", (from?: VariableContext) => observations.whoSets(from)),
    vscode.commands.registerCommand("jvmdebug.stopObserving", () => observations.stop()),
    vscode.commands.registerCommand("jvmdebug.explainConditions", explainConditions),
    vscode.commands.registerCommand("jvmdebug.letAssistantJoin", () => guests.letAssistantJoin()),
    guests,
    vscode.commands.registerCommand("jvmdebug.profile", () => profile(vscode.Uri.joinPath(context.globalStorageUri, "profiles"))),
    vscode.commands.registerCommand("jvmdebug.heapDump", heapDump),
    ...heapReports(vscode.Uri.joinPath(context.globalStorageUri, "reports")),
    core,
    saved,
    vscode.debug.registerDebugAdapterTrackerFactory(DEBUG_TYPE, saved),
    observations,
    new ClassFileWatcher(),
    ...testExplorer(vscode.Uri.joinPath(context.globalStorageUri, "recordings")),
    ...views(context),
    ...followSessions(),
    ...evaluating(),
    ...replaying(),
  );
}

/** Registers what shows recordings. */
function replaying(): vscode.Disposable[] {
  const calls = new RecordedCallsView();
  const recordings = new Recordings((session) => {
    calls.forget(session);
  });
  return [
    recordings,
    calls,
    vscode.debug.registerDebugAdapterTrackerFactory(DEBUG_TYPE, recordings),
    vscode.commands.registerCommand("jvmdebug.openRecording", openRecording),
    vscode.commands.registerCommand("jvmdebug.searchRecording", () => recordings.search()),
    vscode.commands.registerCommand("jvmdebug.whoWrote", (from?: VariableContext) => recordings.whoWrote(from)),
    vscode.commands.registerCommand("jvmdebug.goToMoment", goToMoment),
    vscode.window.registerTreeDataProvider("jvmdebug.recordedCalls", calls),
    vscode.debug.onDidChangeActiveStackItem(() => {
      calls.refreshOnce();
    }),
  ];
}

/** Registers the evaluate window, and the view of what was evaluated. */
function evaluating(): vscode.Disposable[] {
  const evaluated = new EvaluatedView();
  return [
    evaluated,
    evaluated.showIn(vscode.window.createTreeView("jvmdebug.evaluated", { treeDataProvider: evaluated })),
    vscode.debug.registerDebugAdapterTrackerFactory(DEBUG_TYPE, evaluated),
    vscode.languages.registerCompletionItemProvider(SCRATCH, new ScratchCompletions(), "."),
    vscode.commands.registerCommand("jvmdebug.openEvaluate", openEvaluate),
    vscode.commands.registerCommand("jvmdebug.evaluateText", (text: string) => evaluated.evaluate(text)),
    vscode.commands.registerCommand("jvmdebug.streamStages", () => evaluated.streamStages()),
    vscode.commands.registerCommand("jvmdebug.evaluateEditor", () => {
      const editor = vscode.window.activeTextEditor;
      const selected = editor === undefined ? "" : editor.document.getText(editor.selection);
      return evaluated.evaluate(textToEvaluate(editor?.document.getText() ?? "", selected));
    }),
  ];
}

/** Registers the editor of heap dumps. */
function heapReports(folder: vscode.Uri): vscode.Disposable[] {
  const reports = new HeapReports(folder);
  return [
    vscode.window.registerCustomEditorProvider(HEAP_REPORT, reports, {
      webviewOptions: { enableFindWidget: true, retainContextWhenHidden: true },
    }),
    vscode.commands.registerCommand("jvmdebug.openHeapReport", () => reports.openInBrowser()),
  ];
}

/** Registers the views of the debug side bar. */
function views(context: vscode.ExtensionContext): vscode.Disposable[] {
  const hits = new HitsView();
  const threads = new ThreadsView();
  const objects = new ObjectsView(context.workspaceState);
  const threadsView = vscode.window.createTreeView("jvmdebug.threads", { treeDataProvider: threads });
  const objectsView = vscode.window.createTreeView("jvmdebug.objects", { treeDataProvider: objects });
  return [
    ...[hits, threads, objects],
    vscode.window.registerTreeDataProvider("jvmdebug.hits", hits),
    threadsView,
    threads.watch(threadsView),
    objectsView,
    objects.watch(objectsView),
    ...[hits, threads, objects].map((each) => vscode.debug.registerDebugAdapterTrackerFactory(DEBUG_TYPE, each)),
    vscode.commands.registerCommand("jvmdebug.clearHits", () => {
      hits.clear();
    }),
    vscode.commands.registerCommand("jvmdebug.refreshThreads", () => threads.refresh()),
    vscode.commands.registerCommand("jvmdebug.addObjectClass", () => objects.add()),
    vscode.commands.registerCommand("jvmdebug.histogram", () => objects.histogram()),
    vscode.commands.registerCommand("jvmdebug.removeObjectClass", (node: Node) => objects.remove(node)),
    vscode.commands.registerCommand("jvmdebug.keepObject", (from: Node) => objects.keepObject(from)),
    vscode.commands.registerCommand("jvmdebug.releaseObject", (node: Node) => objects.release(node)),
    vscode.commands.registerCommand("jvmdebug.refreshObjects", () => objects.refresh()),
  ];
}
