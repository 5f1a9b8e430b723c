// SPDX-License-Identifier: Apache-2.0
// A file is edited and saved while the program is stopped in another one: it stays in front, with the cursor where it was.

export async function run(window, { line, file, edited, text }) {
  const { page } = window;
  await window.openByName("Elsewhere.java");
  await window.setBreakpoint(line);
  await window.start();
  await window.waitForStoppedLine("return text");
  await window.openByName(file);
  await window.replaceLine(edited, text);
  const tabs = () => page.locator(".tabs-container .tab").allInnerTexts();
  const before = await tabs();
  await page.keyboard.press("Control+s");
  await window.statusText("1 class replaced");
  // The call stack is read again half a second later, and what it opens is opened then.
  await page.waitForTimeout(1500);
  await window.shoot("saved");
  await page.keyboard.type("// typed on");
  await window.lineWith("// typed on");
  const active = await page.locator(".tab.active").innerText();
  await window.shoot("typed");
  await page.keyboard.press("Control+s");
  const callStack = await window.rows(".debug-call-stack");
  await window.runCommand("Debug: Continue");
  await window.waitForEnd();
  return { before, after: await tabs(), active, callStack };
}
