// SPDX-License-Identifier: Apache-2.0
// Run with Coverage of Each Test: the gutter shows what has run, the mouse over a line which tests ran it, and a click
// runs these again.

export async function run(window, { root }) {
  const { page } = window;
  await window.openByName("CartTest.java");
  await page.locator(".editor-instance .codelens-decoration a").first().waitFor();
  await window.runCommand("Testing: Focus on Test Explorer View");
  await window.expandTests();
  await window.testRow("adds");
  const top = page.locator(".test-explorer .monaco-list-row").filter({ hasText: root }).first();
  await top.click({ button: "right" });
  await window.chooseInMenu(/Execute Using Profile/);
  await window.fillInput("Run with Coverage of Each Test");
  await window.testRow("adds", "Passed");
  await window.openByName("Cart.java");
  const missed = page.locator(".editor-instance .coverage-deco-gutter.coverage-deco-miss");
  await missed.first().waitFor();
  const gutter = {
    hit: await page.locator(".editor-instance .coverage-deco-gutter.coverage-deco-hit").count(),
    missed: await missed.count(),
  };
  const shown = page.locator(".monaco-hover:not(.hidden) .hover-row").filter({ hasText: "Run by" }).first();
  const line = page.locator(".editor-instance .view-line").filter({ hasText: /sum\s\+=/ }).first();
  for (let tries = 0; !(await shown.isVisible()) && tries < 15; tries++) {
    await line.hover({ position: { x: 75 + 15 * (tries % 2), y: 8 } });
    await window.waitFor(shown, 3000);
  }
  const text = (await shown.innerText()).replaceAll(/\s+/g, " ").trim();
  await window.shoot("1-coverage");
  await shown.locator("a").filter({ hasText: "run again" }).click();
  await page.locator(".test-explorer .result-summary").filter({ hasText: "1/1" }).waitFor();
  return { gutter, text };
}
