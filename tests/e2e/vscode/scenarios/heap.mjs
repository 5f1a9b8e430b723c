// SPDX-License-Identifier: Apache-2.0
// A heap dump of a program that runs, and its report in a tab: with the keyboard, dark and light; then the same file opened
// by its name, and a file that is none.

import { basename } from "node:path";

import { wrongIn } from "../accessibility.mjs";

export async function run(window, { file, broken }) {
  const { page } = window;
  await window.openByName("Keeping.java");
  await window.start();
  await window.waitForTerminal("keeping");
  await window.runCommand("jvmdebug: Heap Dump…", false);
  await page.locator(".quick-input-title").filter({ hasText: "Heap Dump" }).waitFor();
  await page.locator(".quick-input-list .monaco-list-row").first().waitFor(); // the dialog is ready
  const offered = await page.locator(".quick-input-widget input").inputValue();
  await page.locator(".quick-input-widget input").fill(file);
  await page.locator(".quick-input-action .monaco-button").filter({ hasText: "OK" }).click();
  const report = page.frameLocator("iframe.webview").frameLocator("#active-frame");
  await report.locator("summary").filter({ hasText: "Keeping" }).first().waitFor();
  const kept = await report.locator("details[open]").first().innerText();
  const first = await colours(report);
  const wrong = await wrongIn(report);
  await window.shoot("1-report");
  await report.locator("body").press("/");
  await page.keyboard.type("Keeping$Cart");
  await report.locator("#found").filter({ hasText: " of " }).waitFor();
  const found = await report.locator("main > table tbody tr:not([hidden])").allInnerTexts();
  await window.shoot("2-filter");
  await window.runCommand("Debug: Stop");
  await window.waitForEnd();

  await window.runCommand("View: Close Editor");
  await window.pickFile(basename(file));
  await report.locator("summary").first().waitFor();
  await window.runCommand("Preferences: Toggle between Light/Dark Themes");
  await report.locator(":root[data-theme=dark]").waitFor();
  const second = await colours(report);
  wrong.push(...(await wrongIn(report)));
  await window.shoot("3-dark");
  await window.runCommand("Preferences: Toggle between Light/Dark Themes");
  await window.runCommand("View: Close Editor");

  await window.pickFile(broken);
  await report.locator("p").filter({ hasText: "could not be read" }).waitFor();
  const refused = await report.locator("p").innerText();
  await window.shoot("4-broken");
  return { offered, kept, found, first, second, refused, wrong };
}

function colours(report) {
  return report.locator("body").evaluate((body) => {
    const { backgroundColor, color } = getComputedStyle(body);
    return { backgroundColor, color };
  });
}
