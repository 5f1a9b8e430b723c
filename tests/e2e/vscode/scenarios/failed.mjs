// SPDX-License-Identifier: Apache-2.0
// The profile "Record and Debug Failed" of the Test Explorer: the test that fails is run again and recorded, and the recording
// opens at the line that failed; from there back to where the wrong value was written.

const PROFILE = "Record and Debug Failed";

export async function run(window, { file, test, root, flaky, line, cause }) {
  const { page } = window;
  await window.openByName(file);
  await window.runCommand("Testing: Focus on Test Explorer View");
  await window.testRow(root);
  await window.expandTests();
  await window.testRow(test);
  const row = (name) => page.locator(".test-explorer .monaco-list-row").filter({ hasText: name }).first();
  const choose = async (name) => {
    await row(name).click({ button: "right" });
    await window.chooseInMenu("Execute Using Profile...");
    const listed = page.locator(".quick-input-list .monaco-list-row").filter({ hasText: PROFILE }).first();
    await listed.waitFor();
    await window.shoot("0-profiles");
    await listed.click();
  };
  await choose(flaky);
  await window.notification("Failed, and passed when run again with recording");
  await window.testRow(flaky, "Failed"); // what failed once stays so
  await window.shoot("1-passed");
  await page.keyboard.press("Escape");
  await choose(test);
  const opened = await window.waitForStoppedLine(line);
  const said = await window.statusText("The past:");
  await window.lineWith("int total = basket.total(); total = 450"); // the value beside the line
  const tests = await window.testRow(test, "Failed");
  await window.shoot("2-failure-in-tests");
  await window.runCommand("View: Hide Panel");
  await window.runCommand("View: Show Run and Debug");
  const atFailure = await window.variables("total");
  await window.shoot("3-failure");
  const variable = (name) => page.locator(".debug-variables .monaco-list-row").filter({ hasText: name }).first();
  await variable("basket =").locator(".monaco-tl-twistie").click();
  await variable(/^\s*discountPercent/).waitFor();
  await window.menuOfVariable(/^\s*discountPercent/, "Go Back to Where This Was Written");
  const written = await window.waitForStoppedLine(cause);
  const stack = await window.rowWith(".debug-call-stack", "Basket.remove");
  const values = await window.variables("this");
  await window.shoot("4-cause");
  await window.press("Shift+F5");
  await window.waitForEnd();
  return { opened, said, atFailure, tests, written, stack, values };
}
