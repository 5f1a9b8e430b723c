// SPDX-License-Identifier: Apache-2.0
// A recording in a window: it opens at its end with a mark of the past, a button goes back a line, and the calls are a tree.

export async function run(window, { file, end }) {
  const { page } = window;
  await window.openByName(file);
  await window.start();
  const opened = await window.waitForStoppedLine(end);
  const mark = page.locator('.statusbar-item[id="jvmdebug.jvmdebug\\.recording"], .statusbar-item').filter({ hasText: "The past:" });
  await mark.first().waitFor();
  const said = (await mark.first().innerText()).trim();
  const atEnd = await window.variables("sum");
  await window.shoot("end");
  await page.locator(".debug-toolbar .codicon-debug-step-back").click();
  const back = await window.waitForStoppedLine("System.out.println");
  await page.locator(".pane-header").filter({ hasText: "Recorded Calls" }).click();
  const calls = await window.rowWith(".pane:has(.pane-header[aria-label*='Recorded Calls'])", "Till.main");
  await window.shoot("back");
  await window.press("Shift+F5");
  await window.waitForEnd();
  return { opened, said, atEnd, back, calls };
}
