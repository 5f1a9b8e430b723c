// SPDX-License-Identifier: Apache-2.0
// Show Where This Came From: at the next stop in a task, the line that submitted it is below the stack, in both themes.

import { callStack } from "../call_stack.mjs";

const THEMES = "Preferences: Toggle between Light/Dark Themes";

export async function run(window, { line }) {
  const { page } = window;
  await window.openByName("Mail.java");
  await window.setBreakpoint(line);
  await window.start();
  await window.waitForStoppedLine("System.out.println");
  await window.runCommand("jvmdebug: Show Where This Came From");
  await window.press("F5");
  await window.waitForStoppedLine("System.out.println");
  const rows = await callStack(window, "pool-1-thread-1", "submitted to ThreadPoolExecutor by thread main");
  await window.shoot("1-origins");
  await window.runCommand(THEMES);
  await page.locator(".monaco-workbench.vs-dark").waitFor();
  await window.shoot("1-origins-dark");
  await window.runCommand(THEMES);
  await page.locator(".monaco-workbench.vs").waitFor();
  const submitting = page.locator(".debug-call-stack .monaco-list-row").filter({ hasText: "Mail.order" }).first();
  await submitting.click();
  await window.waitFor(page.locator(".debug-focused-stack-frame-column, .view-line").filter({ hasText: "POOL.submit" }).first());
  await window.shoot("2-selected");
  await window.press("F5");
  await window.waitForEnd();
  return { rows };
}
