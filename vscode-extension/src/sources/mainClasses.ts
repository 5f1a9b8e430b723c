// SPDX-License-Identifier: Apache-2.0
// Finds the main classes of a file or a folder, and decides which one to use: the only one, the one
// of the open file, the one that was chosen last in this folder, or the user's choice from a list.

import { relative } from "node:path";

import * as vscode from "vscode";

import { core, type MainMethod } from "./core";

/** The languages of sources with main classes, as VS Code names them. */
const LANGUAGES = ["java", "kotlin"];
/** `core/src/integrationTest/`, `test/` outside of sources, `target/test-classes/`, `classes/java/test/`. */
const OF_TESTS = [
  /(^|[\\/])src[\\/](tests?|[a-z0-9]+Tests?)[A-Z\\/]/,
  /^((?!src[\\/])[^\\/]+[\\/])*tests?[\\/]/,
  /(^|[\\/])(test-classes|classes[\\/][a-z]+[\\/](tests?|[a-z0-9]+Tests?)[A-Z\\/])/,
];
const MEMORY = "jvmdebug.mainClass";

/**
 * A class that can be started, with its source; if there is no source, with its class file and its
 * project.
 */
export interface MainClass {
  readonly className: string;
  readonly file: string;
  readonly project?: string;
}

let memory: vscode.Memento | undefined;
let picked: MainClass | undefined;

/** Sets where the choices are kept; called when the extension is activated. */
export function remember(state: vscode.Memento): void {
  memory = state;
}

/** Whether a document is a source that may have a main class. */
export function isSource(document: vscode.TextDocument | undefined): document is vscode.TextDocument {
  return document !== undefined && LANGUAGES.includes(document.languageId) && !document.isUntitled;
}

/** Returns the main methods of a document. */
export async function mainsOf(document: vscode.TextDocument): Promise<readonly MainMethod[]> {
  return (await core.declared(document)).mains;
}

/**
 * Returns the main class to start for the open document; undefined when the user dismisses the
 * choice.
 */
export async function mainOfDocument(document: vscode.TextDocument): Promise<MainClass | "none" | undefined> {
  const found = (await mainsOf(document)).map(({ className }) => ({ className, file: document.uri.fsPath }));
  const [only] = found;
  return only === undefined ? "none" : found.length === 1 ? only : choose(found, document.uri.fsPath);
}

/**
 * Returns the main class to start in a folder: the remembered one; with `always` the user is asked.
 */
export async function mainOfFolder(
  folder: vscode.WorkspaceFolder,
  always = false,
): Promise<MainClass | "none" | undefined> {
  const all = await foundBelow(folder);
  const found = all.map(({ main }) => main);
  const [first] = found;
  if (first === undefined) {
    return "none";
  }
  const own = all.filter(({ isTest }) => !isTest);
  const again = remembered(found, folder.uri.fsPath);
  if (!always && (again !== undefined || found.length === 1 || own.length === 1)) {
    return again ?? first;
  }
  return choose(found, folder.uri.fsPath);
}

/**
 * Returns all main classes below a folder: those in its sources, and those in class files without a
 * source there. The program's own come before those of its tests, both by name.
 */
export async function mainsBelow(folder: vscode.WorkspaceFolder): Promise<MainClass[]> {
  return (await foundBelow(folder)).map(({ main }) => main);
}

async function foundBelow(folder: vscode.WorkspaceFolder): Promise<{ main: MainClass; isTest: boolean }[]> {
  const root = folder.uri.fsPath;
  const { files, compiled } = await core.below(root);
  const found = files.flatMap(({ file, mains, tests }) =>
    mains.map(({ className }) => ({ main: { className, file }, isTest: tests.length > 0 || isOfTests(root, file) })),
  );
  const known = new Set(found.map(({ main }) => main.className));
  const others = compiled.filter(({ className }) => !known.has(className));
  found.push(...others.map((main) => ({ main, isTest: isOfTests(root, main.file) })));
  return found.sort(
    (one, other) =>
      Number(one.isTest) - Number(other.isTest) || one.main.className.localeCompare(other.main.className),
  );
}

/** Whether a file is in a folder that the usual builds have for tests, or for their classes. */
export function isOfTests(root: string, file: string): boolean {
  const path = relative(root, file);
  return OF_TESTS.some((each) => each.test(path));
}

async function choose(found: readonly MainClass[], place: string): Promise<MainClass | undefined> {
  const known = remembered(found, place);
  const items = found.map((each) => ({
    label: each.className,
    description: vscode.workspace.asRelativePath(each.file),
    main: each,
  }));
  items.sort((one, other) => Number(other.main === known) - Number(one.main === known));
  const chosen = await vscode.window.showQuickPick(items, {
    title: "Main Class",
    placeHolder: "The class to start; jvmdebug: Select Main Class… changes it later",
    matchOnDescription: true,
  });
  if (chosen !== undefined) {
    await memory?.update(MEMORY, { ...choices(), [place]: keyOf(chosen.main) });
  }
  return chosen?.main;
}

function choices(): Record<string, string> {
  return memory?.get<Record<string, string>>(MEMORY) ?? {};
}

/** Projects of one folder may have classes of the same name. */
function keyOf({ className, file }: MainClass): string {
  return `${className} ${file}`;
}

/** Returns the class that was chosen last; if it has moved meanwhile, the only one of its name. */
function remembered(found: readonly MainClass[], place: string): MainClass | undefined {
  const known = choices()[place];
  const named = found.filter(({ className }) => className === known?.split(" ")[0]);
  return named.find((each) => keyOf(each) === known) ?? (named.length === 1 ? named[0] : undefined);
}

/** Returns the folder of the open document, else the first one. */
export function currentFolder(): vscode.WorkspaceFolder | undefined {
  const open = vscode.window.activeTextEditor?.document.uri;
  const own = open === undefined ? undefined : vscode.workspace.getWorkspaceFolder(open);
  return own ?? vscode.workspace.workspaceFolders?.[0];
}

/**
 * The command that lets the user pick a main class of the folder and returns its name; also
 * `${command:PickMainClass}` in launch.json.
 */
export async function selectMainClass(): Promise<string | undefined> {
  const folder = currentFolder();
  const found = folder === undefined ? "none" : await mainOfFolder(folder, true);
  if (found === "none") {
    void vscode.window.showInformationMessage("No Java or Kotlin source and no class file of this folder has a main method.");
    return undefined;
  }
  picked = found;
  return found?.className;
}

/** Returns the class that `${command:PickMainClass}` has just put into a configuration. */
export function takePicked(className: string): MainClass | undefined {
  const last = picked?.className === className ? picked : undefined;
  picked = undefined;
  return last;
}
