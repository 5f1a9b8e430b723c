// SPDX-License-Identifier: Apache-2.0
// A debug session without the mouse: a breakpoint, the evaluate window, and each of our views with what a screen reader says of
// its rows. A row keeps the focus while what it shows changes.

import { command, first, hear, said } from "../accessibility.mjs";

export async function run(window, options) {
  const { page } = window;
  const keys = (...pressed) => pressed.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  const seen = {};
  await keys("Control+p");
  await page.keyboard.type("Keys.java");
  await page.locator(".quick-input-list .monaco-list-row").filter({ hasText: "Keys.java" }).first().waitFor();
  await keys("Enter");
  await page.locator(".editor-instance .codelens-decoration a").first().waitFor(); // the extension is there
  await goTo(window, options.line);
  await keys("F9", "F5");
  await window.waitForStoppedLine("seen +=");

  await command(window, "jvmdebug: Open the Evaluate Window");
  await window.lineWith("evaluates all of it");
  await page.keyboard.type("item.name + 1");
  await keys("Control+Enter");
  await window.viewRow("Evaluated", "item.name + 1", "tea1");
  await page.keyboard.type("0"); // the focus is still in the editor
  await window.lineWith("item.name + 10");
  seen.evaluated = await first(window, "Evaluated", "item.name + 1");
  await window.shoot("1-evaluated");
  seen.hits = await first(window, "Breakpoint Hits", `Keys.java:${options.line}`, "1×");
  await keys("ArrowRight");
  await window.viewRow("Breakpoint Hits", "item = ");
  await keys("ArrowDown");
  seen.hit = await hear(window, ["item = "]);
  await keys("ArrowUp");
  await window.shoot("2-hits");

  await command(window, "jvmdebug: Show Objects of a Class");
  await page.locator(".quick-input-widget input").waitFor();
  await page.keyboard.type("Keys$Item");
  await page.locator(".quick-input-list .monaco-list-row").filter({ hasText: "Keys$Item" }).first().waitFor();
  await keys("Enter");
  seen.objects = await first(window, "Objects", "Keys$Item", "3");
  await keys("ArrowRight");
  await window.viewRow("Objects", "Item@");
  await keys("ArrowDown");
  seen.object = await hear(window, ["Item@"]);
  await keys("ArrowUp");
  await window.shoot("3-objects");

  seen.thread = await first(window, "Threads & Monitors", "main", "stopped");
  await window.shoot("4-threads");

  // The next stop changes what the focused row says, and leaves the focus there.
  await first(window, "Breakpoint Hits", "1×");
  await keys("F5");
  seen.again = await hear(window, [`Keys.java:${options.line}`, "2×"]);

  await first(window, "Objects", "Keys$Item");
  await keys("Shift+F10");
  await page.locator(".monaco-menu .action-label").filter({ hasText: "Remove Class" }).waitFor();
  await keys("Home", "Enter");
  await page.waitForFunction(() => !document.querySelector('.pane [aria-label^="Keys$Item"]'));
  seen.afterwards = await said(page);
  await keys("Shift+F5");
  await window.waitForEnd();
  return seen;
}

async function goTo({ page }, line) {
  await page.keyboard.press("Control+g");
  await page.keyboard.type(String(line));
  await page.keyboard.press("Enter");
  await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
}
