// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { mainMethods, methods, variablesAbove } from "../src/sources/javaSource";

test.each<[string, string, string[]]>([
  ["the usual one", "package shop;\nclass Main {\n  public static void main(String[] args) {}\n}", ["shop.Main:2"]],
  ["varargs, final, array behind the name", "class A { static void main(final String... a) {} }\nclass B { public static void main(String a[]) {} }", ["A:0", "B:1"]],
  ["a nested class", "class A { int x = f(1); static class B { public static void main(String[] a) {} } }", ["A$B:0"]],
  ["a record, an enum and an interface", "record R(int x) { public static void main(String[] a) {} }\nenum E { A(1) { void main() {} }; public static void main(String[] a) {} }\ninterface I { static void main(String[] a) {} }", ["R:0", "E:1", "I:2"]],
  ["an instance main, once", "class A { void main() {} }", ["A:0"]],
  ["with arguments before without", "class A { void main() {}\n static void main(String[] a) {} }", ["A:1"]],
  ["a compact source file", "void main() {\n  IO.println(1);\n}", ["Compact:0"]],
  ["throws and annotations", "class A {\n @Deprecated(since = \"{\")\n public static void main(String[] a) throws Exception {} }", ["A:2"]],
  ["not in a comment or a literal", "class A { // static void main(String[] a) {}\n /* void main() {} */ String s = \"void main() {\"; String t = \"\"\"\n void main() {} \"\"\"; }", []],
  ["not private, not of another type, not a call", "class A { private static void main(String[] a) {} static int main(int x) { return 1; } void f() { main(); } Object o = new Object() { void main() {} }; }", []],
  ["not in an anonymous or a local class", "class A { void f() { class B { void main() {} } run(new C() { void main() {} }); } }", []],
  ["while it is being typed", "class A { public static void main(String[] a) { if (x", ["A:0"]],
])("main methods: %s", (_name, text, expected) => {
  expect(mainMethods(text, "Compact").map((each) => `${each.className}:${String(each.line)}`)).toEqual(expected);
});

test("a method has its annotations, also those with arguments", () => {
  const text = 'class T {\n @org.junit.jupiter.api.Test\n @CsvSource({"a, 1", "b, 2"})\n void adds(String a, int b) {}\n}';
  expect(methods(text, "T")).toEqual([
    {
      name: "adds",
      className: "T",
      line: 3,
      firstLine: 1,
      modifiers: [],
      annotations: ["Test", "CsvSource"],
      parameters: "String a, int b",
      returnType: "void",
    },
  ]);
});

test("a file of a million characters is read quickly", () => {
  const text = `class A {\n${"  int f(int x) { return x + 1; } // (((\n".repeat(25_000)} void main() {} }`;
  const begun = performance.now();
  expect(mainMethods(text, "A")).toHaveLength(1);
  expect(performance.now() - begun).toBeLessThan(2000);
});

test("names above a stop are those of its method, as far as they may be variables", () => {
  const text = [
    "class Cart {",
    "  int other(int hidden) { return hidden; }",
    "  int total(List<Item> items) {",
    "    int sum = 0; // sum of all",
    '    String text = "sum";',
    "    for (Item item : items) { sum += item.price() + this.tax + sum; }",
    "    return later;",
    "  }",
    "}",
  ].join("\n");
  const found = variablesAbove(text, 5).map(({ name, line, column }) => `${name} ${String(line)}:${String(column)}`);
  expect(found).toEqual(expect.arrayContaining(["items 2:23", "sum 3:8", "text 4:11", "item 5:14", "items 5:21", "sum 5:30"]));
  for (const absent of ["hidden", "price", "tax", "later", "all", "total"]) {
    expect(found.join(" ")).not.toContain(`${absent} `);
  }
  expect(found.filter((each) => each.startsWith("sum 5"))).toHaveLength(1);
});

test("the method of a line in Kotlin begins at its fun", () => {
  const text = "fun first(a: Int) = a\nfun main() {\n  val cart = 1\n  println(cart)\n}\n";
  const found = variablesAbove(text, 3).map(({ name, line }) => `${name} ${String(line)}`);
  expect(found).toEqual(expect.arrayContaining(["cart 2", "cart 3"]));
  expect(found).not.toContain("a 0");
});
