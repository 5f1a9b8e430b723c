// SPDX-License-Identifier: Apache-2.0
// A stop at a line with a lambda: the text of an object, the stages of the stream, the evaluate window, the mouse over a
// selected call, and a breakpoint in the lambda.

const SELECTED = ".monaco-hover:not(.hidden) .hover-contents, .debug-hover-widget";
const LOOK_MS = 3000;
const CANDIDATES = ".editor-instance .inline-breakpoint-widget";

export async function run(window, options) {
  const { page } = window;
  const seen = {};
  await window.openByName(options.file);
  await window.setBreakpoint(options.line);
  await window.start();
  await window.waitForStoppedLine("List<String> names");
  seen.variables = await window.variables("order =");

  await page.locator(CANDIDATES).first().waitFor();
  seen.candidates = await page.locator(CANDIDATES).count();
  await window.shoot("1-stopped");

  await window.runCommand("jvmdebug: Show the Stages of the Stream");
  await window.viewRow("Evaluated", "toUpperCase", "TEA");
  seen.stages = await window.rows(".pane:has-text('Evaluated')");
  await window.shoot("2-stages");
  await window.runCommand("Preferences: Toggle between Light/Dark Themes");
  await page.locator(".monaco-workbench.vs-dark").waitFor();
  await window.shoot("2-stages-dark");
  await window.runCommand("Preferences: Toggle between Light/Dark Themes");
  await page.locator(".monaco-workbench.vs").waitFor();

  await window.runCommand("jvmdebug: Open the Evaluate Window");
  await page.locator(".tab").filter({ hasText: "Evaluate.java" }).waitFor();
  await window.lineWith("evaluates all of it");
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("int all = order.size();\nreturn java.util.List.of(all, order.look());");
  await page.keyboard.press("Control+Enter");
  await window.viewRow("Evaluated", "order.look()", "List");
  seen.evaluated = await window.rows(".pane:has-text('Evaluated')");
  await window.shoot("3-evaluated");
  await page.locator(".tab").filter({ hasText: "Chains.java" }).first().click();

  seen.pure = await overSelection(window, "order.size()", "3");
  await window.shoot("4-pure");
  seen.refused = await overSelection(window, "order.look()", "Evaluate");
  await window.shoot("4-refused");

  await window.focusEditor();
  await window.goTo(options.line);
  await page.locator(CANDIDATES).last().click();
  await window.shoot("5-candidate");
  await window.press("F5");
  seen.inLambda = await window.variables("c =");
  await window.shoot("5-in-lambda");
  await window.press("Shift+F5");
  await window.waitForEnd();
  return seen;
}

/** Finds a text of the last line with it, which selects it, and moves the mouse over it. */
async function overSelection(window, text, wanted) {
  const { page } = window;
  const shown = page.locator(SELECTED).filter({ hasText: wanted }).last();
  await window.focusEditor();
  await page.keyboard.press("Control+f");
  await page.locator(".find-widget textarea").first().fill(text);
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.press("Escape");
  const box = await page.locator(".editor-instance .selected-text").first().boundingBox();
  for (let tries = 0; tries < 15; tries++) {
    await page.mouse.move(box.x + box.width * (tries % 2 ? 0.75 : 0.25), box.y + box.height / 2);
    if (await window.waitFor(shown, LOOK_MS)) {
      return (await shown.innerText()).replaceAll(/\s+/g, " ").trim();
    }
  }
  throw new Error(`nothing is shown over ${text}`);
}
