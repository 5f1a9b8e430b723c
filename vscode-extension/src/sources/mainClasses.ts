// SPDX-License-Identifier: Apache-2.0
// The main classes of a file or a folder, and which one is meant: the only one, the one of the open file, the one that
// was chosen last in this folder, or the user's choice from a list.

import { parse } from "node:path";

import * as vscode from "vscode";

import { type MainMethod, mainMethods } from "./javaSource";
import { kotlinMains } from "./kotlinSource";

const MOST_FILES = 5000;
const AT_ONCE = 64;
/** The languages, as VS Code names them, of sources with main classes. */
const LANGUAGES = ["java", "kotlin"];
export const JAVA_AND_KOTLIN = "**/*.{java,kt}";
/** Folders that are not searched for sources. */
export const EXCLUDED = "**/{node_modules,build,target,out,bin,dist,.git,.gradle}/**";
const MEMORY = "jvmdebug.mainClass";

/** A class that can be started, and the file that it is in. */
export interface MainClass {
  readonly className: string;
  readonly file: string;
}

let memory: vscode.Memento | undefined;

/** Where the choices are kept; set when the extension is activated. */
export function remember(state: vscode.Memento): void {
  memory = state;
}

/** Whether a document is a source that may have a main class. */
export function isSource(document: vscode.TextDocument | undefined): document is vscode.TextDocument {
  return document !== undefined && LANGUAGES.includes(document.languageId) && !document.isUntitled;
}

/** The main methods of a document. */
export function mainsOf(document: vscode.TextDocument): MainMethod[] {
  return mainsIn(document.uri.fsPath, document.getText());
}

function mainsIn(path: string, text: string): MainMethod[] {
  const { name, ext } = parse(path);
  return ext === ".kt" ? kotlinMains(text, name) : mainMethods(text, name);
}

/** The main class to start for the document that is open; undefined when the user dismisses the choice. */
export async function mainOfDocument(document: vscode.TextDocument): Promise<MainClass | "none" | undefined> {
  const found = mainsOf(document).map(({ className }) => ({ className, file: document.uri.fsPath }));
  const [only] = found;
  return only === undefined ? "none" : found.length === 1 ? only : choose(found, document.uri.fsPath);
}

/** The main class to start in a folder: the remembered one, unless `always` the user is asked. */
export async function mainOfFolder(
  folder: vscode.WorkspaceFolder,
  always = false,
): Promise<MainClass | "none" | undefined> {
  const found = await mainsBelow(folder);
  const [only] = found;
  if (only === undefined) {
    return "none";
  }
  const known = remembered(folder.uri.fsPath);
  const again = found.find((each) => each.className === known);
  if (!always && (again !== undefined || found.length === 1)) {
    return again ?? only;
  }
  return choose(found, folder.uri.fsPath);
}

/** All main classes in the sources below a folder, by name. */
export async function mainsBelow(folder: vscode.WorkspaceFolder): Promise<MainClass[]> {
  const found = (await readSources(folder)).flatMap(({ file: { fsPath: file }, text }) =>
    /\bmain\s*\(/.test(text) ? mainsIn(file, text).map(({ className }) => ({ className, file })) : [],
  );
  return found.sort((one, other) => one.className.localeCompare(other.className));
}

/** The sources below a folder, those that can be read. */
export async function readSources(folder: vscode.WorkspaceFolder): Promise<{ file: vscode.Uri; text: string }[]> {
  const pattern = new vscode.RelativePattern(folder, JAVA_AND_KOTLIN);
  const files = await vscode.workspace.findFiles(pattern, EXCLUDED, MOST_FILES);
  const found: { file: vscode.Uri; text: string }[] = [];
  const decoder = new TextDecoder();
  for (let first = 0; first < files.length; first += AT_ONCE) {
    const some = files.slice(first, first + AT_ONCE);
    const read = some.map(async (file) => ({ file, text: decoder.decode(await vscode.workspace.fs.readFile(file)) }));
    // A file may be gone meanwhile.
    found.push(...(await Promise.allSettled(read)).flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])));
  }
  return found;
}

async function choose(found: readonly MainClass[], place: string): Promise<MainClass | undefined> {
  const known = remembered(place);
  const items = found.map((each) => ({
    label: each.className,
    description: vscode.workspace.asRelativePath(each.file),
    main: each,
  }));
  items.sort((one, other) => Number(other.label === known) - Number(one.label === known));
  const chosen = await vscode.window.showQuickPick(items, {
    title: "Main Class",
    placeHolder: "The class to start; jvmdebug: Select Main Class… changes it later",
    matchOnDescription: true,
  });
  if (chosen !== undefined) {
    await memory?.update(MEMORY, { ...choices(), [place]: chosen.label });
  }
  return chosen?.main;
}

function choices(): Record<string, string> {
  return memory?.get<Record<string, string>>(MEMORY) ?? {};
}

function remembered(place: string): string | undefined {
  return choices()[place];
}

/** The folder of the open document, else the first one. */
export function currentFolder(): vscode.WorkspaceFolder | undefined {
  const open = vscode.window.activeTextEditor?.document.uri;
  const own = open === undefined ? undefined : vscode.workspace.getWorkspaceFolder(open);
  return own ?? vscode.workspace.workspaceFolders?.[0];
}

/** The command, also `${command:PickMainClass}` in launch.json: the name of a main class of the folder. */
export async function selectMainClass(): Promise<string | undefined> {
  const folder = currentFolder();
  const found = folder === undefined ? "none" : await mainOfFolder(folder, true);
  if (found === "none") {
    void vscode.window.showInformationMessage("No Java or Kotlin source of this folder has a main method.");
    return undefined;
  }
  return found?.className;
}
