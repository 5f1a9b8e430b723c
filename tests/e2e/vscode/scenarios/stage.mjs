// SPDX-License-Identifier: Apache-2.0
// A thread of the program stops: what is shown first, values in lines, a field that is set, keys that are held or pressed
// twice, and a save while the program runs.

import { callStack } from "../call_stack.mjs";

const HELD = 15;
const TRIES = 10;
const LOOK_MS = 3000;

export async function run(window, options) {
  const { page } = window;
  const keys = async (...names) => {
    await window.focusEditor();
    for (const name of names) {
      await page.keyboard.down(name);
    }
    await page.keyboard.up(names[0]);
  };
  const lines = () =>
    page.locator(".editor-instance .view-lines .view-line").evaluateAll((all) =>
      all
        .map((each) => ({ top: each.getBoundingClientRect().top, text: each.textContent.replaceAll("\u00a0", " ").trim() }))
        .sort((one, other) => one.top - other.top)
        .map(({ text }) => text),
    );
  const seen = {};
  await window.openByName(options.file);
  await window.setBreakpoint(options.line);
  await window.start();
  await window.waitForStoppedLine("sum += i");
  seen.callStack = await callStack(window, "worker-7", "Stage.work");
  await window.variables("this =", "held=0");
  await window.lineWith("first = 5");
  seen.lines = await lines();
  await window.shoot("1-stopped");
  await window.runCommand("Preferences: Toggle between Light/Dark Themes");
  await page.locator(".monaco-workbench.vs-dark").waitFor();
  await window.shoot("1-stopped-dark");
  await window.runCommand("Preferences: Toggle between Light/Dark Themes");
  await page.locator(".monaco-workbench.vs").waitFor();
  await page.locator(".debug-variables .monaco-list-row").filter({ hasText: "this =" }).first().click();
  const field = page.locator(".debug-variables .monaco-list-row").filter({ hasText: "held =", hasNotText: "this" }).first();
  await field.dblclick();
  await page.locator(".debug-variables input").fill("77");
  await page.keyboard.press("Enter");
  seen.set = await window.rowWith(".debug-variables", "this =", "held=77");
  await window.shoot("2-set");

  await window.removeBreakpoint();
  /** Presses each key twice until the state is shown: VS Code takes F5 only where it knows of the stop, and F6 of the run. */
  const twice = async (state, ...pressed) => {
    const row = page.locator(".debug-call-stack .monaco-list-row").filter({ hasText: state }).first();
    for (let tries = 0; tries < TRIES; tries++) {
      for (const key of pressed) {
        await keys(key, key);
      }
      if (await window.waitFor(row, LOOK_MS)) {
        return;
      }
    }
    throw new Error(`${pressed.join(" ")} does not lead to "${state}"`);
  };
  await keys(...Array(HELD).fill("F10"));
  await twice("Paused on pause", "F5", "F6");
  await twice("Running", "F5");

  await window.replaceLine(options.edited, 'said = "new";');
  await page.keyboard.press("Control+s");
  await window.statusText("1 class replaced");
  seen.replaced = await window.rows(".debug-call-stack");
  await window.shoot("3-replaced");

  await window.addBreakpoint(options.edited, "Add Conditional Breakpoint", "nothing > 1");
  await page.locator(".editor-instance .squiggly-warning").first().waitFor();
  await window.runCommand("Problems: Focus on Problems View");
  seen.wrong = await window.rowWith(".markers-panel", "nothing");
  await window.shoot("4-wrong-condition");
  await window.press("Shift+F5");
  await window.waitForEnd();
  return seen;
}
