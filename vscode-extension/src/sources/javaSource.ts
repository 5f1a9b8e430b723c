// SPDX-License-Identifier: Apache-2.0
// Types and methods of a Java source, found by braces and keywords: no compiler and no language
// server is asked, and a file that is being edited gives what can be told. Knows nothing of VS Code.

/** A method, as far as its declaration says it. */
export interface Method {
  readonly name: string;
  /** Binary name of the class: `shop.Cart$Item`. */
  readonly className: string;
  /** Of the name, from 0. */
  readonly line: number;
  /** Of its first annotation or modifier. */
  readonly firstLine: number;
  readonly modifiers: readonly string[];
  /** Simple names, without `@`. */
  readonly annotations: readonly string[];
  /** The text between the parentheses. */
  readonly parameters: string;
  /** The token before the name; undefined for a constructor. */
  readonly returnType: string | undefined;
}

/** A type that is not local and not anonymous. */
export interface Type {
  /** Binary name. */
  readonly className: string;
  /** Of the name, from 0. */
  readonly line: number;
  /** Of its first annotation or modifier. */
  readonly firstLine: number;
  /** `class`, `interface`, `enum`, `record`, `@interface`. */
  readonly keyword: string;
  readonly modifiers: readonly string[];
  readonly annotations: readonly string[];
  /** As it is written, without its type arguments. */
  readonly superclass: string | undefined;
}

/** What a source declares, each in its order. */
export interface Declarations {
  readonly types: readonly Type[];
  readonly methods: readonly Method[];
}

const MODIFIERS = new Set([
  "public", "protected", "private", "static", "final", "abstract", "default", "synchronized", "native", "strictfp",
]);
const TYPE_KEYWORDS = new Set(["class", "interface", "enum", "record", "@interface"]);
const NOT_SOURCE =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"""[\s\S]*?(?:(?<!\\)"""|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?/g;
const TOKEN = /@?[A-Za-z_$][\w$]*(?:\s*\.\s*[A-Za-z_$][\w$]*)*|[{}();<>=]/g;

/** The text with comments and literals as spaces, so that positions stay. */
export function withoutTexts(text: string): string {
  return text.replace(NOT_SOURCE, (found) => found.replace(/[^\n]/g, " "));
}

/** What was read of a member since its beginning. */
interface Member {
  tokens: string[];
  /** Where each of them is. */
  places: number[];
  /** How many `<` are open: type parameters and arguments are not kept. */
  angles: number;
  method: { name: string; index: number; returnType: string | undefined; begin: number; end: number } | undefined;
  /** An initializer follows: what looks like a method there is a call. */
  isAssigned: boolean;
}

function fresh(): Member {
  return { tokens: [], places: [], angles: 0, method: undefined, isAssigned: false };
}

/** The name of the type that a member declares. */
function typeName({ tokens, method }: Member): string | undefined {
  const keyword = tokens.findIndex((each) => TYPE_KEYWORDS.has(each));
  const name = keyword < 0 ? undefined : tokens[keyword + 1];
  return tokens[keyword] === "record" || method === undefined ? name : undefined;
}

/** All methods, in their order; of a compact source file those without a class have the one of its name. */
export function methods(text: string, fileStem: string): readonly Method[] {
  return declarations(text, fileStem).methods;
}

/** All types and methods. */
export function declarations(text: string, fileStem: string): Declarations {
  const source = withoutTexts(text);
  const found: Method[] = [];
  const foundTypes: Type[] = [];
  const scopes: (string | undefined)[] = [];
  const packageName = /^\s*package\s+([\w$.]+)\s*;/m.exec(source)?.[1];
  let member = fresh();
  let parentheses = 0;
  let line = 0;
  let counted = 0;
  const lineOf = (index: number): number => {
    for (; counted < index; counted++) {
      line += source[counted] === "\n" ? 1 : 0;
    }
    return line;
  };
  const finish = (): void => {
    const { method, tokens } = member;
    const types = scopes.filter((each) => each !== undefined);
    if (types.length !== scopes.length) {
      return;
    }
    const qualified = (name: string): string => (packageName === undefined ? name : `${packageName}.${name}`);
    const name = typeName(member);
    const firstLine = lineOf(member.places[0] ?? 0);
    if (name !== undefined) {
      const keyword = tokens.findIndex((each) => TYPE_KEYWORDS.has(each));
      const supertype = tokens.indexOf("extends");
      foundTypes.push({
        className: qualified([...types, name].join("$")),
        firstLine,
        line: lineOf(member.places[keyword + 1] ?? 0),
        keyword: tokens[keyword] ?? "class",
        modifiers: tokens.slice(0, keyword).filter((each) => MODIFIERS.has(each)),
        annotations: tokens.slice(0, keyword).filter((each) => each.startsWith("@")).map(simpleName),
        superclass: supertype < 0 ? undefined : tokens[supertype + 1],
      });
    } else if (method !== undefined) {
      found.push({
        name: method.name,
        className: qualified(types.length === 0 ? fileStem : types.join("$")),
        firstLine,
        line: lineOf(method.index),
        modifiers: tokens.filter((each) => MODIFIERS.has(each)),
        annotations: tokens.filter((each) => each.startsWith("@")).map(simpleName),
        parameters: source.slice(method.begin, method.end).trim(),
        returnType: method.returnType,
      });
    }
  };
  for (const match of source.matchAll(TOKEN)) {
    const token = match[0].replaceAll(/\s/g, "");
    if (token === "(") {
      const name = member.tokens.at(-1);
      const returnType = member.tokens.at(-2);
      if (parentheses === 0 && member.method === undefined && !member.isAssigned && name !== undefined) {
        if (!name.startsWith("@") && !TYPE_KEYWORDS.has(returnType ?? "")) {
          const index = source.lastIndexOf(name, match.index);
          member.method = { name, index, returnType, begin: match.index + 1, end: match.index + 1 };
        }
      }
      parentheses++;
    } else if (token === ")") {
      parentheses = Math.max(0, parentheses - 1);
      if (parentheses === 0 && member.method?.end === member.method?.begin && member.method !== undefined) {
        member.method.end = match.index;
      }
    } else if (parentheses > 0) {
      continue;
    } else if (token === "=") {
      member.isAssigned = true;
    } else if (token === "{") {
      finish();
      scopes.push(typeName(member));
      member = fresh();
    } else if (token === "}") {
      scopes.pop();
      member = fresh();
    } else if (token === ";") {
      member = fresh();
    } else if (token === "<") {
      member.angles++;
    } else if (token === ">") {
      member.angles = Math.max(0, member.angles - 1);
    } else if (member.angles === 0) {
      member.tokens.push(token);
      member.places.push(match.index);
    }
  }
  return { types: foundTypes, methods: found };
}

function simpleName(annotation: string): string {
  return annotation.slice(Math.max(annotation.lastIndexOf("."), annotation.indexOf("@")) + 1);
}

/** A class that can be started, and the line of its main method. */
export interface MainMethod {
  readonly className: string;
  readonly line: number;
}

const ARGUMENTS = /^(?:final\s+)?String\s*(?:(?:\[\s*\]|\.\.\.)\s*[\w$]+|[\w$]+\s*\[\s*\])$/;

/** The main methods, one for each class; instance methods and those without arguments too (JEP 512). */
export function mainMethods(text: string, fileStem: string): MainMethod[] {
  const found = new Map<string, Method>();
  for (const each of methods(text, fileStem)) {
    const takesArguments = ARGUMENTS.test(each.parameters);
    if (
      each.name === "main" &&
      each.returnType === "void" &&
      !each.modifiers.includes("private") &&
      (takesArguments || each.parameters === "") &&
      (takesArguments || !found.has(each.className))
    ) {
      found.set(each.className, each);
    }
  }
  return [...found.values()].map(({ className, line }) => ({ className, line }));
}

/** A name that may be a variable, where it is; both from 0. */
export interface Mention {
  readonly name: string;
  readonly line: number;
  readonly column: number;
}

const KOTLIN_FUNCTION = /\bfun\b/;
const NAME = /[A-Za-z_$][\w$]*/g;

/** The names in the method around a line, from its declaration to that line: each once in a line, and none that is a
 * member of something, called, or a method reference. Keywords and types are among them: nothing has those names. */
export function variablesAbove(text: string, line: number): Mention[] {
  const lines = withoutTexts(text).split("\n");
  const declared = methods(text, "").map((each) => each.line);
  const functions = lines.flatMap((each, number) => (KOTLIN_FUNCTION.test(each) ? [number] : []));
  const first = Math.max(0, ...[...declared, ...functions].filter((each) => each <= line));
  return lines.slice(first, line + 1).flatMap((each, offset) => mentions(each, first + offset));
}

function mentions(source: string, line: number): Mention[] {
  const found = new Map<string, Mention>();
  for (const { 0: name, index } of source.matchAll(NAME)) {
    const before = source.slice(0, index).trimEnd();
    const after = source.slice(index + name.length).trimStart();
    const isPart = /\d$/.test(before) && !/\s/.test(source[index - 1] ?? "");
    const isMember = before.endsWith(".") || before.endsWith("::") || before.endsWith("@");
    if (!isPart && !isMember && !after.startsWith("(") && !found.has(name)) {
      found.set(name, { name, line, column: index });
    }
  }
  return [...found.values()];
}
