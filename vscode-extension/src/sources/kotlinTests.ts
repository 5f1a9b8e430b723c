// SPDX-License-Identifier: Apache-2.0
// The tests that a Kotlin source declares, by its text. The same rules as in the core's `jvmdebug/projects/kotlin_tests.py`:
// both are tested with `tests/support/declared_tests.json`. Knows nothing of VS Code.

import type { TestClass, TestMethod } from "./testClasses";

const NOT_CODE =
  /`[^`\n]*`|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"""[\s\S]*?(?:"""|$)|"(?:\\.|\$\{(?:[^{}"\n]|"(?:\\.|[^"\\\n])*")*\}|[^"\\\n])*"?|'(?:\\.|[^'\\\n])+'/g;
const TOKEN = /(?<![\w`])@(?:\w+:)?(?:\[[^\]]*\]|[\w.]+)|::\s*class\b|`[^`\n]*`|\w+|[(){}]/g;
const FUNCTION = /\s+(?:<[^(]*>\s*)?(?<receiver>(?:[\w.<>?*, ]+\.)?)(?<name>`[^`\n]+`|\w+)\s*(?=\()/y;
const NAME = /\s+(?<name>`[^`\n]+`|\w+)/y;
const RETURNS_NOTHING = /\s*(?::\s*Unit\b\s*[={]|\{)/y;
const JUNIT3 = /:[^{]*\bTestCase\s*\(/;
const PACKAGE = /^\s*package\s+([\w.`]+)/m;
const MODIFIERS = new Set([
  "public", "protected", "private", "internal", "abstract", "final", "open", "sealed", "override", "inner", "data", "enum",
  "value", "annotation", "suspend", "inline", "operator", "infix", "tailrec", "external", "companion",
]);
const NO_CLASS = new Set(["fun", "val", "var", "init", "constructor", "typealias"]);
const NO_TESTS = ["abstract", "sealed", "enum", "annotation"];
/** One that is internal has another name in the class file, which runners do not find. */
const NOT_CALLED = ["private", "internal", "abstract"];
const TESTS = new Set(["Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Property"]);

/** A class or a function in one, as far as its head says it. */
interface Member {
  readonly name: string;
  readonly line: number;
  readonly firstLine: number;
  readonly annotations: readonly string[];
  readonly modifiers: readonly string[];
}

interface Type extends Member {
  /** In its body, or its head if it has none. */
  lastLine: number;
  isJUnit3: boolean;
  /** Not an interface or object, nor in an object: runners make instances of it. */
  readonly isMade: boolean;
  readonly isInObject: boolean;
  readonly methods: Map<string, TestMethod>;
}

/** What a source declares, without what is local. */
export interface KotlinDeclarations {
  readonly types: readonly (Member & { readonly lastLine: number })[];
  /** `typeName`: of the class or object; undefined for one of the file. */
  readonly functions: readonly (Member & { readonly typeName: string | undefined })[];
}

/** The text with comments and literals as spaces, so that positions stay; names in backticks stay. */
export function withoutKotlinTexts(text: string): string {
  return text.replace(NOT_CODE, (found) => (found.startsWith("`") ? found : found.replace(/[^\n]/g, " ")));
}

export function kotlinDeclarations(text: string): KotlinDeclarations {
  const reader = new Reader(withoutKotlinTexts(text));
  return { types: reader.types(), functions: reader.functions };
}

export function kotlinTests(text: string): TestClass[] {
  const types = new Reader(withoutKotlinTexts(text)).types();
  return types
    .filter(({ isMade }) => isMade)
    .filter(({ methods, modifiers }) => methods.size > 0 && !NO_TESTS.some((each) => modifiers.includes(each)))
    .map(({ name, line, firstLine, methods }) => ({ className: name, line, firstLine, methods: [...methods.values()] }));
}

class Reader {
  /** Those that were read so far. */
  readonly functions: (Member & { typeName: string | undefined })[] = [];
  /** What the open braces belong to; undefined: a body, a lambda, an object. */
  private readonly scopes: (Type | undefined)[] = [];
  /** The annotations and modifiers right before the next token, and where each is. */
  private head: { token: string; index: number }[] = [];
  private readonly packageName: string | undefined;
  private line = 0;
  private counted = 0;

  constructor(private readonly source: string) {
    this.packageName = PACKAGE.exec(source)?.[1]?.replaceAll("`", "");
  }

  types(): Type[] {
    const found: Type[] = [];
    let parentheses = 0;
    let opening: Type | undefined;
    let begin = 0;
    for (const { 0: token, index } of this.source.matchAll(TOKEN)) {
      const end = index + token.length;
      if (token === "(") {
        parentheses++;
      } else if (token === ")") {
        parentheses = Math.max(0, parentheses - 1);
        if (parentheses === 0 && opening !== undefined) {
          opening.lastLine = this.lineOf(index);
        }
      } else if (parentheses > 0) {
        continue;
      } else if (token === "{") {
        if (opening !== undefined) {
          opening.lastLine = Infinity;
          opening.isJUnit3 = JUNIT3.test(this.source.slice(begin, index));
        }
        this.scopes.push(opening);
        opening = undefined;
        this.head = [];
      } else if (token === "}") {
        const ended = this.scopes.pop();
        if (ended !== undefined) {
          ended.lastLine = this.lineOf(index);
        }
        opening = undefined;
        this.head = [];
      } else if (token.startsWith("@") || MODIFIERS.has(token)) {
        this.head.push({ token, index });
      } else if (token === "class" || token === "interface" || token === "object") {
        opening = this.type(token, end);
        begin = end;
        if (opening !== undefined) {
          found.push(opening);
        }
        this.head = [];
      } else {
        if (token === "fun") {
          this.method(index, end);
        }
        opening = NO_CLASS.has(token) ? undefined : opening;
        this.head = [];
      }
    }
    return found;
  }

  private type(keyword: string, end: number): Type | undefined {
    const named = at(NAME, this.source, end);
    const isCompanion = this.head.some(({ token }) => token === "companion");
    if ((named === null && !isCompanion) || this.scopes.includes(undefined)) {
      return undefined;
    }
    const around = this.scopes.at(-1);
    const prefix = around !== undefined ? `${around.name}$` : this.packageName === undefined ? "" : `${this.packageName}.`;
    const member = this.member(prefix, named?.groups?.["name"] ?? "Companion", named?.index ?? end, end);
    const isInObject = keyword === "object" || around?.isInObject === true;
    const isMade = keyword === "class" && !isInObject;
    return { ...member, lastLine: member.line, isJUnit3: false, isMade, isInObject, methods: new Map() };
  }

  private method(index: number, end: number): void {
    const named = at(FUNCTION, this.source, end);
    const around = this.scopes.at(-1);
    const written = named?.groups?.["name"];
    if (named === null || written === undefined || this.scopes.includes(undefined)) {
      return;
    }
    const made = this.member("", written, named.index + named[0].lastIndexOf(written), index);
    this.functions.push({ ...made, typeName: around?.name });
    const returnsNothing = at(RETURNS_NOTHING, this.source, this.closing(named.index + named[0].length)) !== null;
    if (around === undefined || named.groups?.["receiver"] !== "") {
      return;
    }
    if (isTest(made, around, returnsNothing) && !around.methods.has(made.name)) {
      around.methods.set(made.name, { name: made.name, line: made.line, firstLine: made.firstLine });
    }
  }

  /** `place`: of the name; `keyword`: of what comes before it. */
  private member(prefix: string, written: string, place: number, keyword: number): Member {
    const head = this.head;
    this.head = [];
    const firstLine = this.lineOf(head[0]?.index ?? keyword);
    return {
      name: prefix + written.replaceAll("`", ""),
      firstLine,
      line: this.lineOf(place),
      annotations: head.filter(({ token }) => token.startsWith("@")).flatMap(({ token }) => names(token)),
      modifiers: head.map(({ token }) => token),
    };
  }

  /** Where the parenthesis that opens there has been closed. */
  private closing(begin: number): number {
    let depth = 0;
    for (let index = begin; index < this.source.length; index++) {
      const each = this.source[index];
      depth += each === "(" ? 1 : each === ")" ? -1 : 0;
      if (depth === 0) {
        return index + 1;
      }
    }
    return this.source.length;
  }

  /** The line of a place, from 0; places are asked in their order. */
  private lineOf(index: number): number {
    for (; this.counted < index; this.counted++) {
      this.line += this.source[this.counted] === "\n" ? 1 : 0;
    }
    return this.line;
  }
}

function isTest(method: Member, around: Type, returnsNothing: boolean): boolean {
  if (NOT_CALLED.some((each) => method.modifiers.includes(each))) {
    return false;
  }
  if (method.annotations.some((each) => TESTS.has(each))) {
    return true;
  }
  const isNamed = around.isJUnit3 && method.name.startsWith("test");
  const isPublic = !method.modifiers.includes("protected");
  return isPublic && returnsNothing && (isNamed || around.annotations.includes("Test"));
}

/** The match of a sticky expression at a place. */
function at(expression: RegExp, source: string, index: number): RegExpExecArray | null {
  expression.lastIndex = index;
  return expression.exec(source);
}

/** The simple names in `@Test`, `@org.junit.Test`, `@get:Rule`, `@[Test Tag]`. */
function names(annotation: string): string[] {
  return [...annotation.slice(1).matchAll(/(?<![\w.:])[\w.]+(?![\w.:])/g)].map(([name]) => name.slice(name.lastIndexOf(".") + 1));
}
