// SPDX-License-Identifier: Apache-2.0
/** The Call Stack view of the debugger. */
import { STEP_TIMEOUT_MS } from "./window.mjs";

const ROWS = ".debug-call-stack .monaco-list-row";
const LOOK_MS = 3000;

/**
 * All rows with a thread open, once one of them has all the words. VS Code opens the thread that has stopped, but leaves it
 * closed now and then on a busy machine.
 */
export async function callStack(window, thread, ...words) {
  const row = window.page.locator(ROWS).filter({ hasText: thread }).first();
  const wanted = words.reduce((rows, word) => rows.filter({ hasText: word }), window.page.locator(ROWS));
  const deadline = Date.now() + STEP_TIMEOUT_MS;
  while (!(await window.waitFor(wanted.first(), LOOK_MS))) {
    if (Date.now() > deadline) {
      throw new Error(`the call stack has no row "${words.join(" ")}"`);
    }
    if ((await row.getAttribute("aria-expanded")) === "false") {
      await row.locator(".monaco-tl-twistie").click();
    }
  }
  return window.rows(".debug-call-stack");
}
