// SPDX-License-Identifier: Apache-2.0
// Completes debug configurations before the adapter sees them: F5 without a launch.json, and defaults.

import * as vscode from "vscode";

/** A configuration that compiles and runs one Java file. */
export function fileConfiguration(path: string, noDebug = false): vscode.DebugConfiguration {
  return {
    type: "jvmdebug",
    request: "launch",
    name: "Debug Java File",
    program: path,
    ...(noDebug ? { noDebug } : {}),
  };
}

/** What is wrong with a configuration, as a message for the user; undefined if it is valid. */
export function problem(configuration: vscode.DebugConfiguration): string | undefined {
  const { request } = configuration;
  if (request === "launch") {
    if (isEmpty(configuration["mainClass"]) && isEmpty(configuration["program"])) {
      return (
        'The launch configuration says neither "mainClass" (a class to run) ' +
        'nor "program" (a .java or .jar file). Set one of them in launch.json.'
      );
    }
    return undefined;
  }
  if (request === "attach") {
    const host: unknown = configuration["hostName"];
    const isSocket = typeof host === "string" && host.startsWith("unix:");
    return isEmpty(configuration["port"]) && !isSocket
      ? 'The attach configuration has no "port": the port that the agent in the JVM listens on.'
      : undefined;
  }
  return `The request of a jvmdebug configuration is "launch" or "attach", not "${request}".`;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

export class ConfigurationProvider implements vscode.DebugConfigurationProvider {
  resolveDebugConfiguration(
    folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): vscode.ProviderResult<vscode.DebugConfiguration> {
    // VS Code passes an empty object for F5 without a launch.json.
    if (!configuration.type && !configuration.request && !configuration.name) {
      const document = vscode.window.activeTextEditor?.document;
      if (document?.languageId !== "java" || document.isUntitled) {
        void vscode.window.showErrorMessage(
          "Open a .java file to debug it, or create a launch.json for jvmdebug.",
        );
        return undefined;
      }
      return withDefaults(
        fileConfiguration(document.uri.fsPath, configuration["noDebug"] === true),
        folder,
      );
    }
    return withDefaults(configuration, folder);
  }

  resolveDebugConfigurationWithSubstitutedVariables(
    _folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): vscode.ProviderResult<vscode.DebugConfiguration> {
    const found = problem(configuration);
    if (found !== undefined) {
      void vscode.window.showErrorMessage(found);
      return undefined;
    }
    return configuration;
  }
}

/**
 * The workspace's folders are searched for sources after those that the user names. A program that is launched runs in
 * the first of them, in the terminal, where it can be typed to.
 */
function withDefaults(
  configuration: vscode.DebugConfiguration,
  folder: vscode.WorkspaceFolder | undefined,
): vscode.DebugConfiguration {
  const folders = folder ? [folder] : (vscode.workspace.workspaceFolders ?? []);
  const named: unknown = configuration["sourcePaths"];
  const sourcePaths = [
    ...(Array.isArray(named) ? (named as unknown[]) : []),
    ...folders.map((item) => item.uri.fsPath),
  ];
  if (configuration.request !== "launch") {
    return { ...configuration, sourcePaths };
  }
  const cwd = folders[0]?.uri.fsPath;
  const { console = "integratedTerminal" } = configuration as { console?: unknown };
  return {
    ...(cwd === undefined ? {} : { cwd }),
    // The Debug Console would cover the terminal, where the output is.
    ...(console === "internalConsole" ? {} : { internalConsoleOptions: "neverOpen" }),
    ...configuration,
    console,
    sourcePaths,
  };
}

/** "Run and Debug" → "Java (jvmdebug)…": the configurations that need no launch.json. */
export class DynamicConfigurationProvider implements vscode.DebugConfigurationProvider {
  provideDebugConfigurations(): vscode.ProviderResult<vscode.DebugConfiguration[]> {
    return [
      { ...fileConfiguration("${file}"), name: "Debug Current Java File" },
      { type: "jvmdebug", request: "attach", name: "Attach to Port 5005", port: 5005 },
    ];
  }
}
