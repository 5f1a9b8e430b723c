// SPDX-License-Identifier: Apache-2.0
// One debugging session by hand in a real VS Code window: open the file, click the gutter, F5, look, step, evaluate,
// run to the end. Each step waits for what a person would see; the script fails at the first thing that does not come.
//   usage: node scenario.mjs URL DRIVER_DIR SCREENSHOT_DIR
// Prints one line of JSON with what was seen.

import { createRequire } from "node:module";
import { join } from "node:path";

const [url, driver, screenshots] = process.argv.slice(2);
const { chromium } = createRequire(join(driver, "package.json"))("playwright-core");

const FILE = "Basket.java";
const STEP_TIMEOUT_MS = 45_000;
const HINT_TIMEOUT_MS = 500;
const GUTTER_MARK = ".editor-instance .codicon-debug-breakpoint";
const BROWSER_ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const browser = await chromium.launch({
  executablePath: process.env.JVMDEBUG_CHROMIUM ?? "/usr/bin/chromium",
  args: BROWSER_ARGUMENTS,
});
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
await context.route(/.*/, (route) =>
  ["127.0.0.1", "localhost"].includes(new URL(route.request().url()).hostname)
    ? route.continue()
    : route.abort(),
);
const page = await context.newPage();
page.setDefaultTimeout(STEP_TIMEOUT_MS);
const seen = {};

async function shoot(name) {
  await page.screenshot({ path: join(screenshots, `${name}.png`) });
}

/** The numbers of the lines that the editor shows, with the place of each. */
function lineNumber(line) {
  return page.locator(".editor-instance .margin-view-overlays .line-numbers").filter({
    hasText: new RegExp(`^${line}$`),
  });
}

async function openFile() {
  await page.goto(url);
  await page.waitForSelector(".monaco-workbench");
  await page
    .locator(".explorer-folders-view .monaco-list-row")
    .filter({ hasText: FILE })
    .dblclick();
  await page.waitForSelector(".editor-instance .monaco-editor .view-line");
}

/** Clicks left of a line number, once VS Code shows by its hint that a breakpoint can be set there. */
async function setBreakpoint(line) {
  const margin = await page.locator(".editor-instance .margin").first().boundingBox();
  const number = await lineNumber(line).first().boundingBox();
  const x = margin.x + 10;
  const y = number.y + number.height / 2;
  // The hint follows the mouse, and comes only after the page has learnt of the extension.
  const deadline = Date.now() + STEP_TIMEOUT_MS;
  for (let nudge = 0; ; nudge = 1 - nudge) {
    await page.mouse.move(x + nudge, y);
    const hint = page.locator(".codicon-debug-hint").first();
    const shown = await hint.waitFor({ timeout: HINT_TIMEOUT_MS }).then(
      () => true,
      () => false,
    );
    if (shown) {
      break;
    }
    if (Date.now() > deadline) {
      throw new Error("the gutter takes no breakpoints: is the extension installed?");
    }
  }
  await page.mouse.click(x, y);
  await page.waitForSelector(GUTTER_MARK);
}

/** The text of the line that the debugger marks as the next one to run; empty while none is marked. */
function stoppedLine() {
  return page.evaluate(() => {
    const mark = document.querySelector(".editor-instance .debug-top-stack-frame-line");
    if (mark === null) {
      return "";
    }
    const top = mark.getBoundingClientRect().top;
    const lines = [...document.querySelectorAll(".editor-instance .view-lines .view-line")];
    const line = lines.find((item) => Math.abs(item.getBoundingClientRect().top - top) < 3);
    return line?.textContent?.replaceAll("\u00a0", " ").trim() ?? "";
  });
}

async function rows(view) {
  const texts = await page.locator(`${view} .monaco-list-row`).allInnerTexts();
  return texts.map((text) => text.replaceAll(/\s+/g, " ").trim());
}

/** Waits until one row of a view has all the words, and returns the rows. */
async function rowWith(view, ...words) {
  let row = page.locator(`${view} .monaco-list-row`);
  for (const word of words) {
    row = row.filter({ hasText: word });
  }
  await row.first().waitFor();
  return rows(view);
}

async function evaluateInConsole(expression) {
  await page.keyboard.press("Control+Shift+Y");
  await page.locator(".repl-input-wrapper .monaco-editor").click();
  await page.keyboard.type(expression);
  await page.keyboard.press("Enter");
}

/** Runs a command by its name, as the command palette shows it. */
async function runCommand(name) {
  await page.keyboard.press("F1");
  const input = page.locator(".quick-input-widget input");
  await input.fill(`>${name}`);
  await page.locator(".quick-input-list .monaco-list-row").filter({ hasText: name }).first().click();
  await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
}

async function waitForStoppedLine(words) {
  const deadline = Date.now() + STEP_TIMEOUT_MS;
  for (;;) {
    const text = await stoppedLine();
    if (text.startsWith(words)) {
      return text;
    }
    if (Date.now() > deadline) {
      throw new Error(`the marked line is "${text}", not "${words}…"`);
    }
    await page.waitForFunction(() => new Promise((done) => requestAnimationFrame(() => done(true))));
  }
}

try {
  await openFile();
  const breakpointLine = Number(process.env.JVMDEBUG_BREAKPOINT_LINE);
  await setBreakpoint(breakpointLine);
  await shoot("1-breakpoint");
  await page.locator(".editor-instance .view-lines").first().click();
  await page.keyboard.press("F5");
  await page.waitForSelector(".debug-toolbar");
  seen.stopped = await waitForStoppedLine("total += price");
  seen.callStack = await rowWith(".debug-call-stack", "total");
  const locals = page.locator(".debug-variables .monaco-list-row").filter({ hasText: "Locals" });
  await locals.first().waitFor();
  if ((await locals.first().getAttribute("aria-expanded")) === "false") {
    await locals.first().click();
  }
  seen.variables = await rowWith(".debug-variables", "price", "900");
  await evaluateInConsole('item.name + " x " + items.get(0).count');
  await page.locator(".repl .monaco-list-row").filter({ hasText: '"tea x 2"' }).first().waitFor();
  seen.console = await rows(".repl");
  await shoot("2-stopped");
  await runCommand("jvmdebug: Toggle Hexadecimal Integers");
  seen.hex = await rowWith(".debug-variables", "price", "0x384");
  await runCommand("jvmdebug: Toggle Hexadecimal Integers");
  await rowWith(".debug-variables", "price", "900");
  await runCommand("Open Disassembly View");
  const code = page.locator(".editor-instance .monaco-list-row");
  await code.filter({ hasText: "iadd" }).first().waitFor();
  seen.disassembly = (await code.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ").trim());
  await shoot("2-disassembly");
  await runCommand("View: Close Editor");
  await page.locator(".editor-instance .view-lines").first().click();
  await page.keyboard.press("F10");
  seen.stepped = await waitForStoppedLine("}");
  await rowWith(".debug-variables", "total", "900");
  await shoot("3-stepped");
  await page.locator(GUTTER_MARK).click();
  await page.waitForSelector(GUTTER_MARK, { state: "detached" });
  await page.locator(".editor-instance .view-lines").first().click();
  await page.keyboard.press("F5");
  await page.waitForSelector(".debug-toolbar", { state: "hidden" });
  await page.locator(".repl .monaco-list-row").filter({ hasText: "total: 4048" }).first().waitFor();
  seen.ended = true;
  await shoot("4-ended");
  console.log(JSON.stringify(seen));
} catch (error) {
  await shoot("failed").catch(() => undefined);
  console.error(JSON.stringify(seen));
  console.error(error);
  process.exitCode = 1;
} finally {
  await browser.close();
}
