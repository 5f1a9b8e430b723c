// SPDX-License-Identifier: Apache-2.0
// Tests of a project are run by a lens; the Test Explorer has their states and the calls of a parameterised one, the
// failure is shown with what was expected; what failed is debugged again.

import { callStack } from "../call_stack.mjs";

export async function run(window, { root, odd }) {
  const { page } = window;
  await window.openByName("CartTest.java");
  await window.pressLens("Run");
  await page.waitForSelector(".editor-instance .testing-run-glyph.codicon-testing-failed-icon");
  await window.runCommand("Testing: Focus on Test Explorer View");
  await window.testRow(root, "Failed");
  await window.expandTests();
  const tests = await window.testRow("removes", "Failed");
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
  return { tests, stopped, variables, callStack: calls };
}
