// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { testClasses } from "../src/sources/testClasses";

interface Sample {
  readonly title: string;
  readonly language?: string;
  readonly source: string;
  readonly tests: Record<string, string[]>;
}

// The core reads the same samples: tests/unit/projects/test_testing.py.
const samples = JSON.parse(
  readFileSync(join(process.cwd(), "../tests/support/declared_tests.json"), "utf8"),
) as Sample[];

test.each(samples)("declared tests: $title", ({ language, source, tests }) => {
  const found = testClasses(source, language === "kotlin" ? "File.kt" : "File.java").map(({ className, line, methods }): [string, string[]] => [
    `${className}:${String(line + 1)}`,
    methods.map((each) => `${each.name}:${String(each.line + 1)}`),
  ]);
  expect(Object.fromEntries(found)).toEqual(tests);
});
