// SPDX-License-Identifier: Apache-2.0
// "Run | Debug" above each main method and each test. Other Java extensions have the same; beside
// theirs, ours name jvmdebug.

import { basename, isAbsolute, join, normalize } from "node:path";

import * as vscode from "vscode";

import { fileConfiguration } from "./configuration";
import { core } from "./sources/core";
import type { MainClass } from "./sources/mainClasses";
import type { TestTarget } from "./testing/explorer";

const OTHERS = ["vscjava.vscode-java-debug", "oracle.oracle-java"];

/** Whether lenses are shown, by the setting `jvmdebug.codeLens`. */
function areShown(document: vscode.TextDocument): boolean {
  return vscode.workspace.getConfiguration("jvmdebug", document).get<boolean>("codeLens", true);
}

export class Lenses implements vscode.CodeLensProvider {
  /**
   * The first session shows that the core is installed now; it may have been missing, because it is
   * installed on demand.
   */
  readonly onDidChangeCodeLenses: vscode.Event<void> = (listener, self: unknown) =>
    vscode.debug.onDidStartDebugSession(() => void listener.call(self));

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    if (document.uri.scheme !== "file" || !areShown(document)) {
      return [];
    }
    const isAlone = OTHERS.every((each) => vscode.extensions.getExtension(each) === undefined);
    const suffix = isAlone ? "" : " (jvmdebug)";
    const file = document.uri.fsPath;
    const pair = (line: number, what: "Main" | "Test", target: MainClass | TestTarget): vscode.CodeLens[] =>
      ["Run", "Debug"].map((word) => {
        const command = `jvmdebug.${word.toLowerCase()}${what}`;
        const range = new vscode.Range(line - 1, 0, line - 1, 0);
        return new vscode.CodeLens(range, { title: `${word}${suffix}`, command, arguments: [target] });
      });
    const { mains, tests } = await core.declared(document);
    return [
      ...mains.flatMap(({ className, line }) => pair(line, "Main", { className, file })),
      ...tests.flatMap(({ className, firstLine, methods }) => [
        ...pair(firstLine, "Test", { className, file }),
        ...methods.flatMap((each) => pair(each.firstLine, "Test", { className, file, method: each.name })),
      ]),
    ];
  }
}

/**
 * Returns the configuration of launch.json that starts this class, with the user's arguments; else
 * makes one.
 */
export function configurationOf(main: MainClass): vscode.DebugConfiguration {
  const uri = vscode.Uri.file(main.file);
  const launch = vscode.workspace.getConfiguration("launch", uri);
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath;
  const configured = launch
    .get<vscode.DebugConfiguration[]>("configurations", [])
    .filter((each) => each.type === "jvmdebug" && each.request === "launch");
  const named = configured.find((each) => simple(each["mainClass"]) === main.className && isOf(each, main, folder));
  if (named !== undefined) {
    return named;
  }
  const ofFile = configured.find((each) => each["mainClass"] === undefined && isOf(each, main, folder, true));
  return ofFile === undefined
    ? fileConfiguration(main.file, main.className)
    : { ...ofFile, program: main.file, mainClass: main.className };
}

/** Returns the class name without the name of the module. */
function simple(mainClass: unknown): unknown {
  return typeof mainClass === "string" ? mainClass.split("/").at(-1) : undefined;
}

/**
 * Whether a configuration's `program` is the file of a main class; with `isNeeded` it must have a
 * `program`.
 */
function isOf(
  configuration: vscode.DebugConfiguration,
  main: MainClass,
  folder: string | undefined,
  isNeeded = false,
): boolean {
  const program: unknown = configuration["program"];
  if (typeof program !== "string") {
    return !isNeeded;
  }
  const path = program
    .replaceAll("${file}", main.file)
    .replaceAll("${fileBasename}", basename(main.file))
    .replaceAll(/\$\{workspaceFolder(?::[^}]*)?\}/g, folder ?? "");
  const base: unknown = configuration["cwd"];
  const isBased = typeof base === "string" && isAbsolute(base);
  return normalize(isAbsolute(path) ? path : join(isBased ? base : (folder ?? ""), path)) === normalize(main.file);
}

async function start(main: MainClass, noDebug: boolean): Promise<void> {
  const uri = vscode.Uri.file(main.file);
  await vscode.workspace.openTextDocument(uri).then((document) => document.save());
  await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(uri), configurationOf(main), { noDebug });
}

export function runMain(main: MainClass): Promise<void> {
  return start(main, true);
}

export function debugMain(main: MainClass): Promise<void> {
  return start(main, false);
}
