// SPDX-License-Identifier: Apache-2.0
// A program that runs: a CPU profile as a flame graph in a tab, which the keyboard moves; the heap histogram, and a class of it
// in the view Objects.

import { wrongIn } from "../accessibility.mjs";

export async function run(window) {
  const { page } = window;
  await window.openByName("Busy.java");
  await window.start();
  await window.waitForTerminal("busy");
  await window.runCommand("jvmdebug: Profile…", false);
  await page.locator(".quick-input-list .monaco-list-row").filter({ hasText: "CPU time" }).click();
  await page.locator(".quick-input-title").filter({ hasText: "Profile: CPU time" }).waitFor();
  await window.fillInput("0.5");
  await window.notification(/CPU time of .* samples/);
  const graph = page.frameLocator("iframe.webview").frameLocator("#active-frame");
  await graph.locator("#summary").filter({ hasText: "samples" }).waitFor();
  const summary = await graph.locator("#summary").innerText();
  await window.shoot("1-flame-graph");
  const wrong = await wrongIn(graph);
  const keys = await keyboard(graph);
  wrong.push(...(await wrongIn(graph)));
  await window.runCommand("Preferences: Toggle between Light/Dark Themes");
  await graph.locator(":root[data-theme=dark]").waitFor();
  wrong.push(...(await wrongIn(graph)));
  await window.shoot("1-flame-graph-dark");
  await window.runCommand("Preferences: Toggle between Light/Dark Themes");
  await window.shoot("1-flame-graph-searched");
  await window.runCommand("View: Close Editor");

  await window.runCommand("jvmdebug: Heap Histogram…", false);
  const rows = page.locator(".quick-input-list .monaco-list-row");
  await rows.first().waitFor(); // the classes are counted
  await page.locator(".quick-input-widget input").fill("Busy$Item");
  await rows.filter({ hasText: "1,234 objects" }).first().click();
  const objects = await window.viewRow("Objects", "Busy$Item", "1234");
  await window.shoot("2-objects");
  await window.closeView("Objects");
  await window.press("Shift+F5");
  await window.waitForEnd();
  return { summary, objects, keys, wrong };
}

// What the keys that the report names do, each as it is seen.
async function keyboard(graph) {
  const canvas = graph.locator("#graph");
  const status = () => graph.locator("#status").innerText();
  const theme = () => graph.locator(":root").evaluate((root) => root.dataset.theme);
  const seen = { all: await status(), theme: await theme() };
  await canvas.press("ArrowDown");
  seen.down = await status();
  await canvas.press("Enter");
  await canvas.press("ArrowDown");
  seen.below = await status();
  await canvas.press("Home");
  seen.home = await status();
  await canvas.press("i");
  seen.over = await graph.locator("#invert").getAttribute("aria-pressed");
  await canvas.press("ArrowUp");
  seen.up = await status();
  await canvas.press("Escape");
  await canvas.press("t");
  seen.turned = await theme();
  await canvas.press("/");
  await graph.locator("#search:focus").pressSequentially("Busy.main");
  seen.found = await graph.locator("#found").innerText();
  return seen;
}
