// SPDX-License-Identifier: Apache-2.0
// A core for tests, which knows the few sources that they have. The real one is tested in Python.
import { vi } from "vitest";
import type * as vscode from "vscode";

import { core, type Declared, type TestClass } from "../src/sources/core";

/**
 * Finds what a text declares with a class head, a main method or a test in a line; a class inside
 * another one is named `@Nested`.
 */
export function declaredIn(text: string): Declared {
  const mains: Declared["mains"][number][] = [];
  const tests: (TestClass & { methods: { name: string; line: number; firstLine: number }[] })[] = [];
  const packageName = /^package (\w+);/.exec(text)?.[1];
  let outer = "";
  text.split("\n").forEach((each, index) => {
    const line = index + 1;
    const named = /(@Nested )?class (\w+)/.exec(each);
    if (named !== null) {
      const name = named[2] ?? "";
      outer = named[1] === undefined ? (packageName === undefined ? name : `${packageName}.${name}`) : outer;
      tests.push({ className: named[1] === undefined ? outer : `${outer}$${name}`, line, firstLine: line, methods: [] });
    }
    const className = tests.at(-1)?.className ?? "";
    if (each.includes("void main(")) {
      mains.push({ className, line });
    }
    for (const [, name = ""] of each.matchAll(/@\w*Test void (\w+)/g)) {
      tests.at(-1)?.methods.push({ name, line, firstLine: line });
    }
  });
  return { mains, tests: tests.filter(({ methods }) => methods.length > 0) };
}

/** Has the core answer for the texts of documents. */
export function stubDeclared(): void {
  vi.spyOn(core, "declared").mockImplementation((document: vscode.TextDocument) =>
    Promise.resolve(declaredIn(document.getText())),
  );
}
