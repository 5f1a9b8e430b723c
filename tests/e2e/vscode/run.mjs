// SPDX-License-Identifier: Apache-2.0
// Runs scenarios in VS Code windows of one browser: those of one folder, one after the other, in one window. A scenario is a
// module of `scenarios/` that exports `run(window, options)`; each step waits for what a person would see, and the first thing
// that does not come ends it, and its window.
// To add one: a file there, and a test in test_vscode.py.
//   usage: node run.mjs DRIVER_DIR
// Each line of standard input is `{ scenario, url, screenshots, options }`; the answer is a line too: `{ seen, alarms }`,
// what was seen and what was shown as an error or a warning, or `{ failure, alarms }`.

import { createInterface } from "node:readline";

import { openBrowser } from "./browser.mjs";

/** The window that is open, and its address. */
let open;

async function windowOf(browser, url, screenshots) {
  if (open?.url !== url) {
    await closeWindow();
    open = { url, window: await browser.openWindow(url) };
  } else {
    await open.window.tidy();
  }
  open.window.begin(screenshots);
  return open.window;
}

async function closeWindow() {
  await open?.window.close();
  open = undefined;
}

async function answer(browser, { scenario, url, screenshots, options }) {
  const { run } = await import(`./scenarios/${scenario}.mjs`);
  const window = await windowOf(browser, url, screenshots);
  try {
    const seen = await run(window, options);
    await window.reviewNotifications();
    await window.shoot("end");
    return { seen, alarms: window.alarms };
  } catch (error) {
    await window.shoot("failed").catch(() => undefined);
    await window.tidy().catch(() => undefined);
    await closeWindow();
    return { failure: String(error.stack), alarms: window.alarms };
  }
}

const browser = await openBrowser(process.argv[2]);
try {
  for await (const line of createInterface({ input: process.stdin })) {
    const found = await answer(browser, JSON.parse(line)).catch((error) => ({ failure: String(error.stack), alarms: [] }));
    console.log(JSON.stringify(found));
  }
} finally {
  await browser.close();
}
