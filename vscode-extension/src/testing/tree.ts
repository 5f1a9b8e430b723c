// SPDX-License-Identifier: Apache-2.0
// The items of the Test Explorer: folders of sources, packages, classes, methods, calls. Made from
// the declarations in sources, and from what a run reports in addition (calls of a parameterised
// method, inherited tests). Runs nothing.

import { dirname, relative, sep } from "node:path";

import * as vscode from "vscode";

import type { TestClass } from "../sources/core";

/** What an item stands for. */
export type Node =
  | { readonly kind: "root"; readonly path: string }
  | { readonly kind: "package" }
  | { readonly kind: "class"; readonly className: string }
  | { readonly kind: "method"; readonly className: string; readonly method: string }
  | { readonly kind: "call"; readonly selector: string | undefined };

const DEFAULT_PACKAGE = "(default package)";
/** The usual folders of tests. */
const USUAL = /(^|[\\/])(src([\\/]test[\\/]java)?|tests?)$/;

export class TestTree {
  private readonly nodes = new WeakMap<vscode.TestItem, Node>();
  /** The classes of each file. */
  private readonly files = new Map<string, Set<vscode.TestItem>>();

  constructor(private readonly controller: vscode.TestController) {}

  nodeOf(item: vscode.TestItem): Node | undefined {
    return this.nodes.get(item);
  }

  /** Returns the item of the folder of sources that contains an item. */
  rootOf(item: vscode.TestItem): vscode.TestItem {
    return item.parent === undefined ? item : this.rootOf(item.parent);
  }

  /** Sets the tests of a file; none when the file was deleted. */
  update(uri: vscode.Uri, tests: readonly TestClass[]): void {
    const kept = new Set<vscode.TestItem>();
    for (const { className, line, methods, displayName } of tests) {
      const item = this.classItem(this.rootItem(uri.fsPath, className), className, uri);
      item.range = rangeOf(line);
      name(item, simpleName(className), displayName);
      item.sortText = order(line);
      kept.add(item);
      for (const method of methods) {
        const child = this.methodItem(item, method.name);
        child.range = rangeOf(method.line);
        name(child, method.name, method.displayName);
        child.sortText = order(method.line);
      }
      const names = new Set(methods.map((each) => each.name));
      for (const [id, child] of item.children) {
        if (this.nodes.get(child)?.kind === "method" && !names.has(id)) {
          item.children.delete(id);
        }
      }
    }
    for (const gone of this.files.get(uri.fsPath) ?? []) {
      if (!kept.has(gone)) {
        remove(this.controller, gone);
      }
    }
    if (kept.size === 0) {
      this.files.delete(uri.fsPath);
    } else {
      this.files.set(uri.fsPath, kept);
    }
  }

  /** Returns the files with known tests. */
  knownFiles(): string[] {
    return [...this.files.keys()];
  }

  /** Finds the items of tests by what runs them: `shop.CartTest#adds`; of a call that is not known its method. */
  bySelectors(selectors: readonly string[]): vscode.TestItem[] {
    const known = new Map<string, vscode.TestItem>();
    const visit = (item: vscode.TestItem): void => {
      const node = this.nodes.get(item);
      if (node?.kind === "class") {
        known.set(node.className, item);
      } else if (node?.kind === "method") {
        known.set(`${node.className}#${node.method}`, item);
      } else if (node?.kind === "call" && node.selector !== undefined) {
        known.set(node.selector, item);
      }
      for (const [, child] of item.children) {
        visit(child);
      }
    };
    for (const [, item] of this.controller.items) {
      visit(item);
    }
    const found = selectors.map((each) => known.get(each) ?? known.get(each.replace(/\[\d+\]$/, "")));
    return [...new Set(found.filter((each) => each !== undefined))];
  }

  /** Finds the item of a test that a file declares. */
  find(file: string, className: string, method?: string): vscode.TestItem | undefined {
    for (const item of this.files.get(file) ?? []) {
      const node = this.nodes.get(item);
      if (node?.kind === "class" && node.className === className) {
        return method === undefined ? item : item.children.get(method);
      }
    }
    return undefined;
  }

  /**
   * Returns the item of a class below a folder of sources, made if needed; a nested class is inside
   * the item of its outer class.
   */
  classItem(root: vscode.TestItem, className: string, uri: vscode.Uri | undefined): vscode.TestItem {
    const nested = className.lastIndexOf("$");
    const dot = className.lastIndexOf(".");
    const parent =
      nested > 0 && nested > dot
        ? this.classItem(root, className.slice(0, nested), uri)
        : this.child(root, dot < 0 ? DEFAULT_PACKAGE : className.slice(0, dot), { kind: "package" });
    return this.child(parent, className, { kind: "class", className }, simpleName(className), uri);
  }

  /** Returns the item of a method, made if needed. */
  methodItem(ofClass: vscode.TestItem, method: string): vscode.TestItem {
    const node = this.nodes.get(ofClass);
    const className = node?.kind === "class" ? node.className : "";
    return this.child(ofClass, method, { kind: "method", className, method }, method, ofClass.uri);
  }

  /** Returns the item of a call of a method, or of another test without its own method. */
  callItem(parent: vscode.TestItem, id: string, name: string, selector: string | undefined): vscode.TestItem {
    const item = this.child(parent, id, { kind: "call", selector }, name, parent.uri);
    item.label = name;
    item.range = parent.range;
    item.sortText = order(Number(/\d+(?=\D*$)/.exec(id)?.[0] ?? 0));
    return item;
  }

  private rootItem(file: string, className: string): vscode.TestItem {
    const path = sourceRoot(file, className);
    const known = this.controller.items.get(path);
    if (known !== undefined) {
      return known;
    }
    const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file));
    const inFolder = folder === undefined ? path : relative(folder.uri.fsPath, path);
    const module = folder === undefined ? path : moduleOf(inFolder);
    const item = this.controller.createTestItem(path, module === "" ? (folder?.name ?? path) : module);
    if (!USUAL.test(inFolder)) {
      item.description = inFolder; // a module may have several: src/integrationTest/java
    }
    this.nodes.set(item, { kind: "root", path });
    this.controller.items.add(item);
    return item;
  }

  private child(parent: vscode.TestItem, id: string, node: Node, label = id, uri?: vscode.Uri): vscode.TestItem {
    const known = parent.children.get(id);
    if (known !== undefined) {
      return known;
    }
    const item = this.controller.createTestItem(id, label, uri);
    this.nodes.set(item, node);
    parent.children.add(item);
    return item;
  }
}

/** The folders of Kotlin may leave out the common beginning of all packages. */
const KOTLIN_ROOT = /^(.*[\\/]src[\\/][^\\/]+[\\/](?:java|kotlin))[\\/].*\.kt$/;

/** Returns the folder above the folders of the package. */
export function sourceRoot(file: string, className: string): string {
  const usual = KOTLIN_ROOT.exec(file)?.[1];
  if (usual !== undefined) {
    return usual;
  }
  const folder = dirname(file);
  const names = className.split(".").slice(0, -1);
  const parts = folder.split(sep);
  const isInPackage = names.length > 0 && parts.slice(-names.length).join(".") === names.join(".");
  return isInPackage ? parts.slice(0, -names.length).join(sep) : folder;
}

/** Returns the module that has a folder of sources: `core` for `core/src/test/java`. */
export function moduleOf(sources: string): string {
  return sources.replace(/(^|[\\/])(src([\\/][^\\/]+([\\/](java|kotlin|groovy|scala))?)?|tests?)$/, "");
}

/** Removes an item, and its parents that are empty then. */
function remove(controller: vscode.TestController, item: vscode.TestItem): void {
  const { parent } = item;
  (parent?.children ?? controller.items).delete(item.id);
  if (parent?.children.size === 0) {
    remove(controller, parent);
  }
}

/** Gives an item the name that `@DisplayName` says, else that in the source. A description would be read in its place. */
function name(item: vscode.TestItem, inSource: string, displayName: string | undefined): void {
  item.label = displayName ?? inSource;
}

function simpleName(className: string): string {
  return className.slice(Math.max(className.lastIndexOf("$"), className.lastIndexOf(".")) + 1);
}

/** Makes a range; `line` counts from 1. */
function rangeOf(line: number): vscode.Range {
  return new vscode.Range(line - 1, 0, line - 1, 0);
}

/** Converts a number to a text that sorts like the number. */
function order(number: number): string {
  return String(number).padStart(8, "0");
}
