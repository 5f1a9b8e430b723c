// SPDX-License-Identifier: Apache-2.0
// A JDK that is not there, chosen in the window; what is turned on stays on, with a tick; the lines of the debugger, the
// result of a step and an exception in three themes.

import { readFile, writeFile } from "node:fs/promises";

const THEMES = {
  light: ["Default Light Modern", ".vs"],
  dark: ["Default Dark Modern", ".vs-dark"],
  contrast: ["Default High Contrast", ".hc-black"],
};

/** Writes the theme into a settings.json, and waits until the window has it. */
async function useTheme(window, file, [name, kind]) {
  const settings = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify({ ...settings, "workbench.colorTheme": name }));
  await window.page.locator(`.monaco-workbench${kind}`).waitFor();
}

/** The contrast of a line of the console with its background, as WCAG counts it. */
async function contrastOf(window, text) {
  return window.page.evaluate((wanted) => {
    const lines = [...document.querySelectorAll(".repl .monaco-list-row .value")];
    const line = lines.find((each) => each.textContent.includes(wanted));
    const inner = [...line.querySelectorAll("span")].find((each) => each.childElementCount === 0) ?? line;
    const parts = (color) => color.match(/[\d.]+/g).map(Number);
    let opacity = 1;
    let back = [0, 0, 0];
    for (let each = inner; each !== null; each = each.parentElement) {
      opacity *= Number(getComputedStyle(each).opacity);
      const [r, g, b, a = 1] = parts(getComputedStyle(each).backgroundColor);
      if (a === 1) {
        back = [r, g, b];
        break;
      }
    }
    const [r, g, b, a = 1] = parts(getComputedStyle(inner).color);
    const seen = [r, g, b].map((each, at) => each * a * opacity + back[at] * (1 - a * opacity));
    const light = (color) => {
      const [x, y, z] = color.map((each) => (each / 255 <= 0.03928 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const [one, other] = [light(seen), light(back)].sort((first, second) => second - first);
    return (one + 0.05) / (other + 0.05);
  }, text);
}

async function openMenu(window, variable) {
  const row = window.page.locator(".debug-variables .monaco-list-row").filter({ hasText: variable }).first();
  await row.click({ button: "right" });
  await window.page.locator(".monaco-menu .action-label").filter({ hasText: "Integers in Hexadecimal" }).first().waitFor();
  const items = await window.page.locator(".monaco-menu .action-label").allInnerTexts();
  return items.map((each) => each.trim());
}

export async function run(window, { home, file, line, unused }) {
  const { page } = window;
  const seen = { contrast: {} };
  await useTheme(window, file, THEMES.light);
  await window.openFile("Shown.java");
  await window.setBreakpoint(line);
  await window.press("F5");
  await window.notification("has no bin/java");
  await window.shoot("1-no-jdk-light");
  await window.notification("has no bin/java", "Open Setting");
  await page.locator(".settings-editor").waitFor();
  await page.locator(".settings-editor .setting-item-label").filter({ hasText: "Java Home" }).first().waitFor();
  seen.tab = await page.locator(".settings-tabs-widget .action-label.checked").first().innerText();
  await window.shoot("2-setting");
  await window.runCommand("View: Close Editor");
  await useTheme(window, file, THEMES.dark);
  await window.press("F5");
  await window.notification("has no bin/java");
  await window.shoot("3-no-jdk-dark");
  await window.notification("has no bin/java", "Choose Folder…");
  const input = page.locator(".quick-input-widget input");
  await input.waitFor();
  await input.fill(`${home}/`);
  await page.locator(".quick-input-list .monaco-list-row").filter({ hasText: /^bin$/ }).first().waitFor();
  await page.locator(".quick-input-widget .monaco-button").filter({ hasText: "Use This JDK" }).first().click();
  await window.waitForStoppedLine("int next");
  await window.variables("result", "4");
  seen.before = await openMenu(window, "result");
  await window.chooseInMenu("Integers in Hexadecimal");
  await window.variables("result", "0x4");
  await window.lineWith("result = 0x4");
  seen.after = await openMenu(window, "result");
  await window.shoot("4-tick");
  await page.keyboard.press("Escape");
  await window.press("Shift+F5");
  await window.waitForEnd();
  await window.start();
  await window.waitForStoppedLine("int next");
  await window.variables("result", "0x4");
  await window.press("F10");
  await window.waitForStoppedLine("System.out");
  await window.variables("twice", "0x8");
  seen.rows = await window.rows(".debug-variables");
  for (const [name, theme] of Object.entries(THEMES)) {
    await useTheme(window, file, theme);
    seen.contrast[name] = await contrastOf(window, unused);
    await window.shoot(`5-stop-${name}`);
  }
  await window.press("F5");
  await window.waitForStoppedLine("throw new");
  await page.locator(".exception-widget .stack-trace").first().waitFor();
  seen.exception = await page.locator(".exception-widget").first().innerText();
  await window.shoot("6-exception-contrast");
  await useTheme(window, file, THEMES.light);
  await window.shoot("6-exception-light");
  await window.press("Shift+F5");
  await window.waitForEnd();
  await window.runCommand("View: Hide Panel");
  await window.runCommand("jvmdebug: Open Walkthrough");
  const steps = page.locator(".getting-started-step .step-title");
  await steps.filter({ hasText: "Stop at a line" }).first().click();
  seen.steps = await steps.allInnerTexts();
  await page.locator(".getting-started-media img").first().waitFor();
  await window.shoot("7-walkthrough-light");
  await useTheme(window, file, THEMES.dark);
  await window.shoot("7-walkthrough-dark");
  return seen;
}
