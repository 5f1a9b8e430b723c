// SPDX-License-Identifier: Apache-2.0
// Runs one scenario in a VS Code window and prints one line of JSON: what it saw, and what was shown as an error or a
// warning. A scenario is a module of `scenarios/` that exports `run(window)`; each step waits for what a person
// would see, and the first thing that does not come ends it. To add one: a file there, and a test in test_vscode.py.
//   usage: node run.mjs SCENARIO URL DRIVER_DIR SCREENSHOT_DIR

import { openWindow } from "./window.mjs";

const [scenario, url, driver, screenshots] = process.argv.slice(2);
const { run } = await import(`./scenarios/${scenario}.mjs`);
const window = await openWindow(url, driver, screenshots);
try {
  const seen = await run(window);
  await window.reviewNotifications();
  await window.shoot("end");
  console.log(JSON.stringify({ seen, alarms: window.alarms }));
} catch (error) {
  await window.shoot("failed").catch(() => undefined);
  console.error(JSON.stringify(window.alarms));
  console.error(error);
  process.exitCode = 1;
} finally {
  await window.close();
}
