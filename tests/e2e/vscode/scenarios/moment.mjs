// SPDX-License-Identifier: Apache-2.0
// What is shown belongs to the moment: views only while a program is debugged, entries of menus only where they work, objects
// of a class that is picked by its simple name, a refusal in the status bar that restarts the program, one terminal.

const VIEWS = ["Threads & Monitors", "Breakpoint Hits", "Objects"];

export async function run(window, { line, edited }) {
  const { page } = window;
  const seen = {};
  const views = async () => {
    const titles = await page.locator(".split-view-view .pane-header h3.title").allInnerTexts();
    return VIEWS.filter((each) => titles.some((title) => title.trim().toLowerCase() === each.toLowerCase()));
  };
  const menu = async (name) => {
    const row = page.locator(".debug-variables .monaco-list-row").filter({ hasText: name }).first();
    await row.click({ button: "right" });
    await page.locator(".monaco-menu .action-label").filter({ hasText: "Copy Value" }).first().waitFor();
    const items = await page.locator(".monaco-menu .action-label").allInnerTexts();
    await page.keyboard.press("Escape");
    await page.locator(".monaco-menu").waitFor({ state: "hidden" });
    return items.map((each) => each.trim());
  };
  const shootBoth = async (name) => {
    await window.shoot(`${name}-light`);
    await window.runCommand("Preferences: Toggle between Light/Dark Themes");
    await page.locator(".monaco-workbench.vs-dark").waitFor();
    await window.shoot(`${name}-dark`);
    await window.runCommand("Preferences: Toggle between Light/Dark Themes");
    await page.locator(".monaco-workbench.vs").waitFor();
  };

  await window.openByName("Moment.java");
  await window.setBreakpoint(line);
  await window.start();
  await window.waitForStoppedLine("return number");
  seen.during = await views();
  await window.variables("number =", "1");
  seen.ofNumber = await menu("number =");
  seen.ofObject = await menu("basket =");
  await page.locator(".debug-variables .monaco-list-row").filter({ hasText: "basket =" }).first().locator(".monaco-tl-twistie").click();
  await window.rowWith(".debug-variables", "total =");
  seen.ofField = await menu("total =");

  await window.runCommand("jvmdebug: Force Return…", false);
  await page.locator(".quick-input-title").filter({ hasText: "Force Return" }).waitFor();
  await window.fillInput('"text"');
  await window.notification("returns int");

  await window.runCommand("jvmdebug: Show Objects of a Class…", false);
  await page.locator(".quick-input-title").filter({ hasText: "Objects of a Class" }).waitFor();
  await page.locator(".quick-input-widget input").fill("item");
  const rows = page.locator(".quick-input-list .monaco-list-row");
  await rows.filter({ hasText: "Moment$Item" }).first().waitFor();
  await rows.filter({ hasText: "Closeable" }).first().waitFor({ state: "detached" }); // what was listed before
  seen.first = await rows.first().innerText();
  await window.shoot("0-picker");
  await rows.filter({ hasText: "Moment$Item" }).first().click();
  seen.objects = await window.viewRow("Objects", "Moment$Item", "12");
  await window.runCommand("jvmdebug: Heap Histogram…", false);
  await page.locator(".quick-input-title").filter({ hasText: "with Garbage" }).waitFor();
  await page.locator(".quick-input-widget .codicon-trash").click({ force: true });
  await page.locator(".quick-input-title").filter({ hasText: "Garbage Collected" }).waitFor();
  await page.locator(".quick-input-widget input").fill("Moment$Item");
  await rows.filter({ hasText: "Moment$Item" }).first().waitFor();
  seen.counted = await rows.filter({ hasText: "Moment$Item" }).first().innerText();
  await page.keyboard.press("Escape");
  await shootBoth("1-stopped");
  await window.closeView("Objects");

  await window.replaceLine(edited, "static int extra() { return 1; }");
  await page.keyboard.press("Control+s");
  seen.refused = await window.statusText("click to restart");
  await shootBoth("2-refused");
  const offer = page.locator(".statusbar-item").filter({ hasText: "click to restart" }).first();
  await offer.click();
  await offer.waitFor({ state: "detached" });
  await window.waitForStoppedLine("return number");
  await window.removeBreakpoint();
  await window.press("F5");
  await window.waitForEnd();
  await window.pane("Threads & Monitors").waitFor({ state: "detached" });
  seen.after = await views();
  await window.shoot("3-ended");
  for (let runs = 0; runs < 2; runs++) {
    await window.start();
    await window.waitForEnd();
  }
  seen.terminals = await page.locator(".terminal-wrapper").count();
  await window.runCommand("View: Toggle Terminal");
  await window.shoot("4-terminals");
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget input").fill(">jvmdebug: ");
  await page.locator(".quick-input-list .monaco-list-row").filter({ hasText: "Debug Java File" }).first().waitFor();
  seen.commands = await page.locator(".quick-input-list .monaco-list-row").allInnerTexts();
  await page.keyboard.press("Escape");
  return seen;
}
