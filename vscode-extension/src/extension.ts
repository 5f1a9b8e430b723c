// SPDX-License-Identifier: Apache-2.0
// Registers the handlers of the contributions in package.json. No logic of its own.

import * as vscode from "vscode";

import { AdapterFactory, StartTrackerFactory } from "./adapter";
import { debugFile, runFile } from "./commands/file";
import { forceEarlyReturn, popFrame } from "./commands/frame";
import { offerFullMode, restartInFullMode } from "./commands/fullMode";
import { ClassFileWatcher, hotCodeReplace } from "./commands/hotCodeReplace";
import { toggleSuspend } from "./commands/suspend";
import { toggleHex } from "./commands/values";
import { ConfigurationProvider, DynamicConfigurationProvider } from "./configuration";

export const DEBUG_TYPE = "jvmdebug";

export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory(DEBUG_TYPE, new AdapterFactory()),
    vscode.debug.registerDebugAdapterTrackerFactory(DEBUG_TYPE, new StartTrackerFactory()),
    vscode.debug.registerDebugConfigurationProvider(DEBUG_TYPE, new ConfigurationProvider()),
    vscode.debug.registerDebugConfigurationProvider(
      DEBUG_TYPE,
      new DynamicConfigurationProvider(),
      vscode.DebugConfigurationProviderTriggerKind.Dynamic,
    ),
    vscode.commands.registerCommand("jvmdebug.debugFile", debugFile),
    vscode.commands.registerCommand("jvmdebug.runFile", runFile),
    vscode.commands.registerCommand("jvmdebug.popFrame", popFrame),
    vscode.commands.registerCommand("jvmdebug.forceEarlyReturn", forceEarlyReturn),
    vscode.commands.registerCommand("jvmdebug.hotCodeReplace", hotCodeReplace),
    vscode.commands.registerCommand("jvmdebug.toggleHex", toggleHex),
    vscode.commands.registerCommand("jvmdebug.toggleSuspend", toggleSuspend),
    vscode.commands.registerCommand("jvmdebug.restartInFullMode", restartInFullMode),
    vscode.debug.onDidReceiveDebugSessionCustomEvent(offerFullMode),
    new ClassFileWatcher(),
  );
}
