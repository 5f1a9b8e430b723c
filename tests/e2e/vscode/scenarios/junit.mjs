// SPDX-License-Identifier: Apache-2.0
// Tests of a project are run by a lens; the Test Explorer has their states and the calls of a parameterised one, the
// failure is shown with what was expected; what failed is debugged again.

import { callStack } from "../call_stack.mjs";

export async function run(window, { root, odd }) {
  const { page } = window;
  await window.openByName("CartTest.java");
  await window.pressLens("Run");
  await page.waitForSelector(".editor-instance .testing-run-glyph.codicon-testing-failed-icon");
  const results = page.locator(".test-output-peek-tree .monaco-list-row");
  await results.filter({ hasText: "prices" }).first().waitFor(); // the view opens, for a test has failed
  const shown = await results.evaluateAll((rows) => rows.map((each) => each.getAttribute("aria-label") ?? ""));
  const icons = await results.evaluateAll((rows) =>
    rows.map((each) => `${each.textContent} ${each.querySelector(".codicon")?.className ?? ""}`),
  );
  await window.shoot("0-results-light");
  await window.runCommand("Preferences: Toggle between Light/Dark Themes");
  await page.locator(".monaco-workbench.vs-dark").waitFor();
  await window.shoot("0-results-dark");
  await window.runCommand("Preferences: Toggle between Light/Dark Themes");
  await page.locator(".monaco-workbench.vs").waitFor();
  await window.runCommand("Testing: Focus on Test Explorer View");
  await window.testRow(root, "Failed");
  await window.expandTests();
  const tests = await window.testRow("takes one", "Failed");
  const summary = await page.locator(".test-explorer .result-summary").innerText();
  await window.shoot("1-tests");
  await window.setBreakpoint(odd);
  await window.start(() => window.runCommand("Test: Debug Failed Tests"));
  const stopped = await window.waitForStoppedLine("assertEquals");
  const variables = await window.variables("cents");
  const calls = await callStack(window, "main", /Show \d+ More/);
  await window.shoot("2-debugged");
  await window.press("F5");
  await window.waitForEnd();
  await window.shoot("3-ended");
  return { tests, shown, icons, summary, stopped, variables, callStack: calls };
}
