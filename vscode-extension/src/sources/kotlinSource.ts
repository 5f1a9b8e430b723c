// SPDX-License-Identifier: Apache-2.0
// The main function of a Kotlin source, by its text. The same rule as in the core's `jvmdebug/projects/main_classes.py`.
// Knows nothing of VS Code.

import type { MainMethod } from "./javaSource";
import { withoutKotlinTexts } from "./kotlinTests";

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
  const simple = CLASS_NAME.exec(text)?.[1] ?? `${fileStem.slice(0, 1).toUpperCase()}${fileStem.slice(1)}Kt`;
  const packageName = PACKAGE.exec(source)?.[1]?.replaceAll("`", "");
  const className = packageName === undefined ? simple : `${packageName}.${simple}`;
  return [{ className, line: source.slice(0, found.index).split("\n").length - 1 }];
}
