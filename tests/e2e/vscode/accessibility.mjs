// SPDX-License-Identifier: Apache-2.0
// What a person has who sees no screen and uses no mouse: what a screen reader says of the focus, and what axe finds wrong in a
// page.

import { readFile } from "node:fs/promises";

const AXE = new URL("../../../vscode-extension/node_modules/axe-core/axe.min.js", import.meta.url);

/** Runs axe in a frame: a sentence for each thing that is wrong. */
export async function wrongIn(frame) {
  const body = await frame.locator("body").elementHandle();
  const inner = await body.ownerFrame();
  await inner.evaluate(await readFile(AXE, "utf8"));
  return inner.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`));
  });
}

/** What a screen reader says of the element that has the focus, or of the row that a list tells is the focused one. */
export async function said(page) {
  return page.evaluate(() => {
    const focused = document.activeElement;
    const row = document.getElementById(focused?.getAttribute("aria-activedescendant") ?? "");
    return (row ?? focused)?.getAttribute("aria-label") ?? "";
  });
}

/**
 * Moves the focus to the first row of a view, by the command that every view has. A view that was closed gets its rows when it
 * has the focus already, which VS Code leaves on its empty body: the command is given again then.
 */
export async function first(window, view, ...words) {
  for (let tries = 5; ; tries--) {
    await command(window, `Debug: Focus on ${view} View`);
    await window.page.keyboard.press("Home");
    try {
      return await hear(window, words, tries > 0 ? 3000 : undefined);
    } catch (error) {
      if (tries === 0) {
        throw error;
      }
    }
  }
}

/** Waits until what is said has all the words. */
export async function hear(window, words, patience = 30_000) {
  const deadline = Date.now() + patience;
  for (;;) {
    const heard = await said(window.page);
    if (words.every((word) => heard.includes(word))) {
      return heard;
    }
    if (Date.now() > deadline) {
      throw new Error(`"${heard}" is said, not "${words.join(" … ")}"`);
    }
    await window.nextFrame();
  }
}

/** Runs a command of the palette with the keyboard alone. */
export async function command(window, name) {
  const { page } = window;
  const first = page.locator(".quick-input-list .monaco-list-row").first();
  for (let isFound = false; !isFound; ) {
    await page.keyboard.press("F1");
    await page.keyboard.type(name);
    isFound = await window.waitFor(first.filter({ hasText: name }), 2000);
    await page.keyboard.press(isFound ? "Enter" : "Escape");
  }
}
