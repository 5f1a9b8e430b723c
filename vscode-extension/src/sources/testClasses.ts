// SPDX-License-Identifier: Apache-2.0
// The tests that a Java or Kotlin source declares: JUnit 3 to 6 and TestNG, by its text. The same rules as in the core's
// `jvmdebug/projects/declared_tests.py`: both are tested with `tests/support/declared_tests.json`. Knows nothing of VS Code.

import { parse } from "node:path";

import { declarations, type Method, type Type } from "./javaSource";
import { kotlinTests } from "./kotlinTests";

/** A source without this declares no tests. */
const MAY_HAVE_TESTS = /@\s*(?:[\w.]+\.)?\w*Test|\bTestCase\b|@\s*Property\b/;
const TESTS = new Set(["Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Property"]);
const KEYWORDS = new Set(["class", "interface", "record"]);

export interface TestMethod {
  readonly name: string;
  /** Of the name, from 0. */
  readonly line: number;
  /** Of its first annotation or modifier. */
  readonly firstLine: number;
}

/** A class with tests of its own. */
export interface TestClass {
  /** Binary name: `shop.CartTest$Empty`. */
  readonly className: string;
  /** Of the name, from 0. */
  readonly line: number;
  /** Of its first annotation or modifier. */
  readonly firstLine: number;
  /** Each name once. */
  readonly methods: readonly TestMethod[];
}

/** Those of the text of a file. */
export function testClasses(text: string, path: string): TestClass[] {
  if (!MAY_HAVE_TESTS.test(text)) {
    return [];
  }
  const { name: fileStem, ext } = parse(path);
  if (ext === ".kt") {
    return kotlinTests(text);
  }
  const { types, methods } = declarations(text, fileStem);
  return types.flatMap((type) => {
    if (!KEYWORDS.has(type.keyword) || type.modifiers.includes("abstract")) {
      return [];
    }
    const named = new Map<string, TestMethod>();
    for (const each of methods) {
      if (each.className === type.className && isTest(each, type) && !named.has(each.name)) {
        named.set(each.name, { name: each.name, line: each.line, firstLine: each.firstLine });
      }
    }
    const { className, line, firstLine } = type;
    return named.size === 0 ? [] : [{ className, line, firstLine, methods: [...named.values()] }];
  });
}

function isTest(method: Method, type: Type): boolean {
  if (method.annotations.some((each) => TESTS.has(each))) {
    return true;
  }
  const isPublic = method.modifiers.includes("public") && !method.modifiers.includes("static");
  if (!isPublic || method.returnType !== "void") {
    return false;
  }
  const isOfJUnit3 = type.superclass?.endsWith("TestCase") === true && method.name.startsWith("test");
  return isOfJUnit3 || type.annotations.includes("Test"); // TestNG's, on a class
}
