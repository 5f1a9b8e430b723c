// SPDX-License-Identifier: Apache-2.0
// The main function of a Kotlin source, and what is where the cursor is, by its text. The same rules as in the core's
// `jvmdebug/projects/main_classes.py`. Knows nothing of VS Code.

import type { MainMethod } from "./javaSource";
import { kotlinDeclarations, withoutKotlinTexts } from "./kotlinTests";

const MAIN = /^(?:suspend\s+)?fun\s+main\s*\(/m;
const PACKAGE = /^\s*package\s+([\w.`]+)/m;
const CLASS_NAME = /@file\s*:\s*(?:\[\s*)?JvmName\s*\(\s*"([^"]+)"/;

/** Functions of a file are methods of a class `FileKt`. */
export function kotlinMains(text: string, fileStem: string): MainMethod[] {
  const source = withoutKotlinTexts(text);
  const found = MAIN.exec(source);
  if (found === null) {
    return [];
  }
  return [{ className: fileClass(text, source, fileStem), line: source.slice(0, found.index).split("\n").length - 1 }];
}

/** `shop.Cart#add` as the VM has it, for the function named `word`, else the one around a line; a class is its constructor. */
export function kotlinMethodAt(text: string, fileStem: string, line: number, word?: string): string {
  const { functions, types } = kotlinDeclarations(text);
  const found = [
    ...types.map(({ name, firstLine }) => ({ firstLine, name: name.replace(/^.*[.$]/, ""), method: `${name}#<init>` })),
    ...functions.map(({ name, firstLine, typeName, modifiers }) => ({
      firstLine,
      name,
      // The name of an internal member ends with that of its module.
      method: `${typeName ?? fileClass(text, withoutKotlinTexts(text), fileStem)}#${name}${
        typeName !== undefined && modifiers.includes("internal") ? "$*" : ""
      }`,
    })),
  ].sort((one, other) => one.firstLine - other.firstLine);
  const around = found.filter((each) => each.firstLine <= line).pop();
  return (found.find((each) => each.name === word) ?? around)?.method ?? "";
}

/** `shop.Cart.total` as the VM has it: what a companion declares is a field of the class around it. */
export function kotlinFieldAt(text: string, fileStem: string, line: number, word?: string): string {
  if (word === undefined) {
    return "";
  }
  const around = kotlinDeclarations(text).types.filter((each) => each.firstLine <= line && line <= each.lastLine).pop();
  if (around === undefined) {
    return `${fileClass(text, withoutKotlinTexts(text), fileStem)}.${word}`;
  }
  const isCompanion = around.modifiers.includes("companion");
  return `${isCompanion ? around.name.slice(0, around.name.lastIndexOf("$")) : around.name}.${word}`;
}

/** The class with the functions and properties of a file. */
function fileClass(text: string, source: string, fileStem: string): string {
  const simple = CLASS_NAME.exec(text)?.[1] ?? `${fileStem.slice(0, 1).toUpperCase()}${fileStem.slice(1)}Kt`;
  const packageName = PACKAGE.exec(source)?.[1]?.replaceAll("`", "");
  return packageName === undefined ? simple : `${packageName}.${simple}`;
}
