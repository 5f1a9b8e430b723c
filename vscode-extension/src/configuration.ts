// SPDX-License-Identifier: Apache-2.0
// Completes debug configurations before the adapter sees them: F5 without a launch.json, and defaults.

import { basename, dirname, relative } from "node:path";

import * as vscode from "vscode";

import { isInstalled } from "./adapter";
import { attributesOfSettings, setting } from "./settings";
import { currentFolder, isSource, type MainClass, mainOfDocument, mainOfFolder, mainsBelow, takePicked } from "./sources/mainClasses";
import { testAt } from "./testing/explorer";

const WHAT_TO_START = ["mainClass", "program", "project", "test"];
const WHERE_CLASSES_ARE = ["program", "project", "projectName", "test", "classPaths", "modulePaths"];
const MOST_IN_NEW_FILE = 20;

/**
 * Makes a configuration that compiles and runs one Java file, with one of its classes if it is
 * named.
 */
export function fileConfiguration(path: string, mainClass?: string): vscode.DebugConfiguration {
  return {
    type: "jvmdebug",
    request: "launch",
    name: mainClass ?? "Debug Java File",
    program: path,
    ...(mainClass === undefined ? {} : { mainClass }),
  };
}

/**
 * Makes a configuration that runs a main class: by its source, or from the classes of its project.
 */
function mainConfiguration({ className, file, project }: MainClass): vscode.DebugConfiguration {
  return project === undefined
    ? fileConfiguration(file, className)
    : { type: "jvmdebug", request: "launch", name: className, mainClass: className, project };
}

/**
 * Decides what F5 without a launch.json starts: the main class of the open file; else the test at
 * the cursor; else the main class that was chosen for the folder; else the open file nevertheless,
 * so that java reports what is missing. Undefined if a test was started, the user dismissed the
 * choice, or was told that there is nothing to start.
 */
async function defaultConfiguration(
  given: vscode.WorkspaceFolder | undefined,
  noDebug: boolean,
): Promise<vscode.DebugConfiguration | undefined> {
  const editor = vscode.window.activeTextEditor;
  const document = editor?.document;
  let main: MainClass | "none" | undefined = isSource(document) ? await mainOfDocument(document) : "none";
  if (main === "none" && isSource(document)) {
    const target = await testAt(document, editor?.selection.active.line ?? 0);
    if (target !== undefined) {
      void vscode.commands.executeCommand(noDebug ? "jvmdebug.runTest" : "jvmdebug.debugTest", target);
      return undefined;
    }
  }
  const folder = given ?? currentFolder();
  if (main === "none" && folder !== undefined) {
    main = await mainOfFolder(folder);
  }
  if (main !== "none") {
    return main === undefined ? undefined : mainConfiguration(main);
  }
  if (isSource(document)) {
    return fileConfiguration(document.uri.fsPath);
  }
  void vscode.window.showErrorMessage(
    "There is no class with a main method here: open a .java or .kt file, or create a launch.json for jvmdebug.",
  );
  return undefined;
}

/** Whether a launch configuration does not say what to start, like `"mainClass": ""`. */
function isOpen(configuration: vscode.DebugConfiguration): boolean {
  return configuration.request === "launch" && WHAT_TO_START.every((each) => isEmpty(configuration[each]));
}

/** Beginnings of hosts that need no port. */
const WHOLE_HOSTS = ["unix:", "tls://", "container:", "pod:"];

/**
 * Returns what is wrong with a configuration, as a message for the user; undefined if it is valid.
 */
export function problem(configuration: vscode.DebugConfiguration): string | undefined {
  const { request } = configuration;
  if (request === "launch") {
    return isOpen(configuration)
      ? 'The launch configuration says neither "mainClass" (a class to run) nor "program" (a .java or .jar file), ' +
          'nor "project" (a folder or build file) or "test". Set one of them in launch.json.'
      : undefined;
  }
  if (request === "attach") {
    const host: unknown = configuration["hostName"];
    const isWhole = typeof host === "string" && WHOLE_HOSTS.some((each) => host.startsWith(each));
    const joins = typeof configuration["join"] === "string"; // empty: the only session
    const isNamed = ["port", "processId", "container", "pod", "recording"].some((each) => !isEmpty(configuration[each]));
    return !isNamed && !isWhole && !joins
      ? 'The attach configuration has neither a "port", which the agent in the JVM listens on, nor a "processId", "container", "pod" or "recording".'
      : undefined;
  }
  return `The request of a jvmdebug configuration is "launch" or "attach", not "${request}".`;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/**
 * Adds the source or the project of the class that was picked for the configuration, unless the
 * configuration has a class path.
 */
function withPlaceOfPicked(configuration: vscode.DebugConfiguration): vscode.DebugConfiguration {
  const { mainClass } = configuration;
  if (typeof mainClass !== "string" || !WHERE_CLASSES_ARE.every((each) => isEmpty(configuration[each]))) {
    return configuration;
  }
  const main = takePicked(mainClass);
  return main === undefined ? configuration : { ...configuration, ...mainConfiguration(main), name: configuration.name };
}

/**
 * Adds the class to start if a configuration names only a project; undefined if the user dismisses
 * the choice.
 */
async function withMainClass(configuration: vscode.DebugConfiguration): Promise<vscode.DebugConfiguration | undefined> {
  const { project, mainClass, program, test } = configuration as Record<string, unknown>;
  if (configuration.request !== "launch" || typeof project !== "string" || ![mainClass, program, test].every(isEmpty)) {
    return configuration;
  }
  const path = /\.(xml|gradle|kts|dcl)$/.test(project) ? dirname(project) : project;
  const main = await mainOfFolder({ uri: vscode.Uri.file(path), name: basename(path), index: 0 });
  if (main === undefined || main === "none") {
    return main === "none" ? configuration : undefined;
  }
  return { ...configuration, mainClass: main.className, project: main.project ?? project };
}

export class ConfigurationProvider implements vscode.DebugConfigurationProvider {
  /**
   * Returns the configurations of a new launch.json: the open file, and each main class of the
   * folder.
   */
  async provideDebugConfigurations(folder: vscode.WorkspaceFolder | undefined): Promise<vscode.DebugConfiguration[]> {
    const known = folder === undefined ? [] : (await mainsBelow(folder)).slice(0, MOST_IN_NEW_FILE);
    const inWorkspace = (path: string) => {
      const below = folder === undefined ? path : relative(folder.uri.fsPath, path).replaceAll("\\", "/");
      return `\${workspaceFolder}/${below}`;
    };
    const ofClasses = known.map(({ className, file, project }) =>
      mainConfiguration({
        className,
        file: inWorkspace(file),
        ...(project === undefined ? {} : { project: inWorkspace(project) }),
      }),
    );
    return [{ ...fileConfiguration("${file}"), name: "Current File" }, ...ofClasses];
  }

  async resolveDebugConfiguration(
    folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): Promise<vscode.DebugConfiguration | undefined> {
    // VS Code passes an empty object for F5 without a launch.json.
    const isNamed = Boolean(configuration.type || configuration.request || configuration.name);
    if (isNamed && !isOpen(configuration)) {
      return withDefaults(configuration, folder);
    }
    const found = await defaultConfiguration(folder, configuration["noDebug"] === true);
    if (found === undefined) {
      return undefined;
    }
    return withDefaults(isNamed ? { ...configuration, ...found, name: configuration.name } : found, folder);
  }

  async resolveDebugConfigurationWithSubstitutedVariables(
    folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): Promise<vscode.DebugConfiguration | undefined> {
    const found = problem(configuration);
    if (found !== undefined) {
      void vscode.window.showErrorMessage(found);
      return undefined;
    }
    const chosen = await withMainClass(withPlaceOfPicked(configuration));
    return chosen !== undefined && (await isInstalled(folder)) ? chosen : undefined;
  }
}

/**
 * Adds defaults. The workspace's folders are searched for sources after those that the user names.
 * A launched program runs in the first of them, in the terminal, where the user can type input.
 */
function withDefaults(
  configuration: vscode.DebugConfiguration,
  folder: vscode.WorkspaceFolder | undefined,
): vscode.DebugConfiguration {
  const folders = folder ? [folder] : (vscode.workspace.workspaceFolders ?? []);
  const sourcePaths = [
    ...list(configuration["sourcePaths"]),
    ...folders.map((item) => item.uri.fsPath),
  ];
  const controlExceptions = [
    ...list(vscode.workspace.getConfiguration("jvmdebug", folder).get("controlExceptions")),
    ...list(configuration["controlExceptions"]), // the last match decides
  ];
  const always = {
    sourcePaths,
    ...(controlExceptions.length > 0 ? { controlExceptions } : {}),
    ...attributesOfSettings(configuration, folder),
  };
  if (configuration.request !== "launch") {
    return { ...configuration, ...always };
  }
  const cwd = folders[0]?.uri.fsPath;
  const { console = setting<string>("console", "integratedTerminal", folder) } = configuration as { console?: unknown };
  return {
    // Tests run in the folder of their module, as with build tools.
    ...(cwd === undefined ? {} : isEmpty(configuration["test"]) ? { cwd } : { project: cwd }),
    // The Debug Console would cover the terminal, where the output is.
    ...(console === "internalConsole" ? {} : { internalConsoleOptions: "neverOpen" }),
    ...configuration,
    console,
    ...always,
  };
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** "Run and Debug" → "Java (jvmdebug)…": the configurations that need no launch.json. */
export class DynamicConfigurationProvider implements vscode.DebugConfigurationProvider {
  provideDebugConfigurations(): vscode.ProviderResult<vscode.DebugConfiguration[]> {
    return [
      { ...fileConfiguration("${file}"), name: "Debug Current Java File" },
      { type: "jvmdebug", request: "attach", name: "Attach to Java Process", processId: "${command:PickJavaProcess}" },
      { type: "jvmdebug", request: "attach", name: "Attach to Port 5005", port: 5005 },
    ];
  }
}
