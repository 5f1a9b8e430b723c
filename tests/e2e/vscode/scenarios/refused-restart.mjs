// SPDX-License-Identifier: Apache-2.0
// A mistake, and a restart that is refused for it: the program goes on as it was. Once it is mended, a save gives the
// program the new code, and no mark of the mistake is left.

export async function run(window, { line }) {
  const { page } = window;
  await window.openByName("Refused.java");
  await window.setBreakpoint(line);
  await window.start();
  await window.waitForStoppedLine("return text");
  await window.replaceLine(line - 1, 'String text = "new " + nobody;');
  await window.press("Control+Shift+F5"); // saves as well
  const squiggle = ".editor-instance .squiggly-error";
  await page.waitForSelector(squiggle);
  await window.notification("Not restarted, Refused.java:7: cannot find symbol");
  await window.shoot("1-refused");
  await window.replaceLine(line - 1, 'String text = "new " + name;');
  await page.keyboard.press("Control+s");
  const replaced = await window.statusText("1 class replaced");
  await page.waitForSelector(squiggle, { state: "detached" });
  const tabs = await page.locator(".tabs-container .tab").allInnerTexts();
  await window.shoot("2-mended");
  await window.runCommand("Problems: Focus on Problems View");
  const problems = await window.rows(".markers-panel");
  await window.press("F5");
  await window.waitForEnd();
  await window.runCommand("Terminal: Focus Terminal");
  return { replaced, problems, tabs };
}
