// SPDX-License-Identifier: Apache-2.0
// A Maven project of two modules that was never built: F5 on a main class stops in the other module; F5 on a test stops
// in it; all tests of both modules run; a mistake is told in the tests, without a dialog.

export async function run(window, { line, ofTest }) {
  const { page } = window;
  await window.openByName("Cart.java");
  await window.setBreakpoint(line);
  await window.openByName("Main.java");
  await window.start();
  const stopped = await window.waitForStoppedLine("return");
  await window.shoot("1-main");
  await window.press("F5");
  await window.waitForEnd();
  await window.runCommand("Remove All Breakpoints");

  await window.openByName("CartTest.java");
  await window.setBreakpoint(ofTest);
  await window.goTo(ofTest);
  await window.start();
  await window.waitForStoppedLine("assertEquals");
  await window.shoot("2-test");
  await window.press("F5");
  await window.waitForEnd();
  await window.runCommand("Remove All Breakpoints");

  await window.runCommand("Testing: Focus on Test Explorer View");
  await window.runCommand("Test: Run All Tests");
  await window.testRow("core (Passed)");
  await window.testRow("app (Failed)");
  await window.expandTests();
  const tests = await window.testRow("fails (Failed)");
  await window.shoot("3-tests");

  await window.openByName("CartTest.java");
  await window.replaceLine(ofTest, "nonsense();");
  await window.pressLens("Run");
  const broken = await window.testRow("CartTest (Errored)");
  await page.waitForSelector(".editor-instance .squiggly-error");
  await window.shoot("4-mistake");
  return { stopped, tests, broken };
}
