// SPDX-License-Identifier: Apache-2.0
// A VS Code window in headless Chromium, and what a person does in it: open a file, click the gutter, press keys, run
// commands, read views. Records every notification, dialog and Debug Console line that VS Code shows as an error or a
// warning, also those that disappear again. Knows no scenario; `run.mjs` makes it.

import { createRequire } from "node:module";
import { join } from "node:path";

const STEP_TIMEOUT_MS = 45_000;
const HINT_TIMEOUT_MS = 500;
const GUTTER_MARK = ".editor-instance .codicon-debug-breakpoint";
/** Of all kinds: of log points and with conditions, too. */
const GUTTER_MARKS = '.editor-instance [class*="codicon-debug-breakpoint"]';
const BROWSER_ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Runs in the page: reports what is shown as an error or a warning as soon as it is drawn, and counts the starts and
 * ends of debugging (the toolbar comes and goes), which are too short for polling.
 */
function watch() {
  const reported = new Set();
  window.debugging = { starts: 0, ends: 0 };
  const count = () => {
    const counts = window.debugging;
    const toolbar = document.querySelector(".debug-toolbar");
    const isShown = toolbar !== null && toolbar.getAttribute("aria-hidden") !== "true";
    if (isShown && counts.starts === counts.ends) {
      counts.starts++;
    } else if (!isShown && counts.starts > counts.ends) {
      counts.ends++;
    }
  };
  const report = (where, severity, element) => {
    const text = element?.textContent?.replaceAll("\u00a0", " ").trim() ?? "";
    const key = `${where} ${severity} ${text}`;
    if (text !== "" && !reported.has(key)) {
      reported.add(key);
      void window.reportAlarm({ where, severity, text });
    }
  };
  const scan = () => {
    for (const severity of ["error", "warning"]) {
      for (const item of document.querySelectorAll(".notification-list-item")) {
        if (item.querySelector(`.notification-list-item-icon.codicon-${severity}`)) {
          report("notification", severity, item.querySelector(".notification-list-item-message"));
        }
      }
      for (const dialog of document.querySelectorAll(".monaco-dialog-box")) {
        if (dialog.querySelector(`.dialog-icon.codicon-${severity}, .dialog-icon.codicon-dialog-${severity}`)) {
          report("dialog", severity, dialog.querySelector(".dialog-message-container"));
        }
      }
    }
    for (const [name, severity] of [["error", "error"], ["warn", "warning"]]) {
      for (const line of document.querySelectorAll(`.repl .monaco-list-row .value.${name}`)) {
        report("console", severity, line);
      }
    }
  };
  const begin = () => {
    const observer = new MutationObserver(() => {
      count();
      requestAnimationFrame(scan);
    });
    observer.observe(document.documentElement, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
      attributeFilter: ["class", "aria-hidden"],
    });
  };
  if (document.documentElement === null) {
    document.addEventListener("DOMContentLoaded", begin);
  } else {
    begin();
  }
}

/** One browser: its windows share the files of VS Code that it has read and compiled. */
export async function openBrowser(driver) {
  const { chromium } = createRequire(join(driver, "package.json"))("playwright-core");
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
  return new Browser(browser, context);
}

class Browser {
  constructor(browser, context) {
    this.browser = browser;
    this.context = context;
  }

  close() {
    return this.browser.close();
  }

  /** Opens a window on the folder that `url` names. */
  async openWindow(url, screenshots) {
    const page = await this.context.newPage();
    page.setDefaultTimeout(STEP_TIMEOUT_MS);
    const alarms = [];
    await page.exposeFunction("reportAlarm", (alarm) => {
      alarms.push(alarm);
    });
    await page.addInitScript(watch);
    await page.goto(url);
    await page.waitForSelector(".monaco-workbench");
    return new Window(page, screenshots, alarms);
  }
}

export class Window {
  constructor(page, screenshots, alarms) {
    this.page = page;
    /** What was shown as an error or a warning: `{ where, severity, text }`, each once. */
    this.alarms = alarms;
    this.screenshots = screenshots;
  }

  close() {
    return this.page.close();
  }

  async shoot(name) {
    await this.page.screenshot({ path: join(this.screenshots, `${name}.png`) });
  }

  /** Opens a file of the folder, and waits until the extension is known to the window. */
  async openFile(name) {
    await this.page.locator(".explorer-folders-view .monaco-list-row").filter({ hasText: name }).dblclick();
    await this.page.waitForSelector(".editor-instance .monaco-editor .view-line");
    await this.waitForGutter(1);
  }

  async focusEditor() {
    await this.page.locator(".editor-instance .view-lines").first().click();
  }

  /** Where the gutter of a line is; undefined while VS Code draws it. */
  async gutterOf(line) {
    // The editor replaces these elements whenever it draws: they are found and measured in one go.
    return this.page.evaluate((wanted) => {
      const margin = document.querySelector(".editor-instance .margin");
      const numbers = [...document.querySelectorAll(".editor-instance .margin-view-overlays .line-numbers")];
      const number = numbers.find((each) => each.textContent === String(wanted));
      const [left, box] = [margin?.getBoundingClientRect(), number?.getBoundingClientRect()];
      return left && box?.height ? { x: left.x + 10, y: box.y + box.height / 2 } : undefined;
    }, line);
  }

  /** Moves the mouse left of a line number until VS Code shows by its hint that a breakpoint can be set there. */
  async waitForGutter(line) {
    const deadline = Date.now() + STEP_TIMEOUT_MS;
    for (let nudge = 0; Date.now() < deadline; nudge = 1 - nudge) {
      const gutter = await this.gutterOf(line);
      if (gutter === undefined) {
        await this.nextFrame();
        continue;
      }
      await this.page.mouse.move(gutter.x + nudge, gutter.y);
      if (await this.appears(".codicon-debug-hint", HINT_TIMEOUT_MS)) {
        return gutter;
      }
    }
    throw new Error("the gutter takes no breakpoints: is the extension installed?");
  }

  nextFrame() {
    return this.page.waitForFunction(() => new Promise((done) => requestAnimationFrame(() => done(true))));
  }

  async setBreakpoint(line) {
    const before = await this.page.locator(GUTTER_MARK).count();
    const { x, y } = await this.waitForGutter(line);
    await this.page.mouse.click(x, y);
    await this.page.locator(GUTTER_MARK).nth(before).waitFor();
  }

  /** Sets a breakpoint with a condition or a message, by the menu of the gutter. */
  async addBreakpoint(line, item, text) {
    const before = await this.page.locator(GUTTER_MARKS).count();
    const { x, y } = await this.waitForGutter(line);
    await this.page.mouse.click(x, y, { button: "right" });
    await this.page.locator(".monaco-menu .action-label").filter({ hasText: item }).first().click();
    await this.page.locator(".breakpoint-widget .monaco-editor.focused").first().waitFor();
    await this.page.keyboard.type(text);
    await this.page.keyboard.press("Enter");
    await this.page.locator(GUTTER_MARKS).nth(before).waitFor();
  }

  /** Types into the input box at the top of the window. */
  async fillInput(text) {
    await this.page.locator(".quick-input-widget input").fill(text);
    await this.page.keyboard.press("Enter");
  }

  /** Ticks a box of the Breakpoints view. */
  async tick(name) {
    const row = this.page.locator(".debug-breakpoints .monaco-list-row").filter({ hasText: name }).first();
    await row.locator("input[type=checkbox]").click();
  }

  /** A view of the side bar, by its title. */
  pane(title) {
    return this.page.locator(".split-view-view .pane").filter({
      has: this.page.locator(".pane-header").filter({ hasText: title }),
    });
  }

  async openView(title) {
    const header = this.pane(title).locator(".pane-header").first();
    await header.waitFor();
    if ((await header.getAttribute("aria-expanded")) !== "true") {
      await header.click();
    }
  }

  async closeView(title) {
    const header = this.pane(title).locator(".pane-header").first();
    if ((await header.getAttribute("aria-expanded")) === "true") {
      await header.click();
    }
  }

  /** Waits until one row of a view has all the words, and returns the rows. */
  async viewRow(title, ...words) {
    let row = this.pane(title).locator(".monaco-list-row");
    for (const word of words) {
      row = row.filter({ hasText: word });
    }
    await row.first().waitFor();
    const texts = await this.pane(title).locator(".monaco-list-row").allInnerTexts();
    return texts.map((text) => text.replaceAll(/\s+/g, " ").trim());
  }

  async removeBreakpoint() {
    await this.page.locator(GUTTER_MARK).click();
    await this.page.waitForSelector(GUTTER_MARK, { state: "detached" });
  }

  /** Presses a lens: "Run" or "Debug", above a main method or a test. */
  async pressLens(title, number = 0) {
    const lens = this.page.locator(".editor-instance .contentWidgets .codelens-decoration a");
    await lens.filter({ hasText: new RegExp(`^${title}$`) }).nth(number).click();
  }

  async appears(selector, timeout = STEP_TIMEOUT_MS) {
    const found = this.page.locator(selector).first();
    return found.waitFor({ timeout }).then(
      () => true,
      () => false,
    );
  }

  /** Presses a key in the editor. */
  async press(key) {
    await this.focusEditor();
    await this.page.keyboard.press(key);
  }

  /** Starts debugging, by a key or by what `how` does, and waits until it has started. */
  async start(how = "F5") {
    const { starts } = await this.page.evaluate(() => window.debugging);
    await (typeof how === "string" ? this.press(how) : how());
    await this.page.waitForFunction((before) => window.debugging.starts > before, starts);
  }

  /** Waits until the last debugging that was started has ended. */
  async waitForEnd() {
    await this.page.waitForFunction(() => window.debugging.ends === window.debugging.starts);
  }

  /** The text of the line that the debugger marks as the next one to run; empty while none is marked. */
  stoppedLine() {
    return this.page.evaluate(() => {
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

  async waitForStoppedLine(words) {
    const deadline = Date.now() + STEP_TIMEOUT_MS;
    for (;;) {
      const text = await this.stoppedLine();
      if (text.startsWith(words)) {
        return text;
      }
      if (Date.now() > deadline) {
        throw new Error(`the marked line is "${text}", not "${words}…"`);
      }
      await this.nextFrame();
    }
  }

  async rows(view) {
    const texts = await this.page.locator(`${view} .monaco-list-row`).allInnerTexts();
    return texts.map((text) => text.replaceAll(/\s+/g, " ").trim());
  }

  /** Waits until one row of a view has all the words, and returns the rows. */
  async rowWith(view, ...words) {
    let row = this.page.locator(`${view} .monaco-list-row`);
    for (const word of words) {
      row = row.filter({ hasText: word });
    }
    await row.first().waitFor();
    return this.rows(view);
  }

  /** The rows of the Variables view with the scope Locals open, once one of them has all the words. */
  async variables(...words) {
    const locals = this.page.locator(".debug-variables .monaco-list-row").filter({ hasText: "Locals" });
    await locals.first().waitFor();
    if ((await locals.first().getAttribute("aria-expanded")) === "false") {
      await locals.first().click();
    }
    return this.rowWith(".debug-variables", ...words);
  }

  async typeInConsole(text) {
    await this.page.keyboard.press("Control+Shift+Y");
    await this.page.locator(".repl-input-wrapper .monaco-editor").click();
    await this.page.keyboard.type(text);
    await this.page.keyboard.press("Enter");
  }

  /** Waits until the integrated terminal shows the text. */
  async waitForTerminal(text) {
    await this.page.waitForFunction(
      (wanted) =>
        [...document.querySelectorAll(".terminal-wrapper .xterm-rows")].some((rows) =>
          (rows.textContent ?? "").replaceAll("\u00a0", " ").includes(wanted),
        ),
      text,
    );
  }

  async typeInTerminal(text) {
    await this.page.locator(".terminal-wrapper .xterm-screen").first().click();
    await this.page.keyboard.type(text);
    await this.page.keyboard.press("Enter");
  }

  /** Runs a command by its name, as the command palette shows it. */
  async runCommand(name) {
    await this.page.keyboard.press("F1");
    await this.page.locator(".quick-input-widget input").fill(`>${name}`);
    const command = this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: name });
    await command.first().click();
    await this.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
  }

  /** Waits for a notification with the text, and presses one of its buttons if `button` is given. */
  async notification(text, button) {
    const item = this.page.locator(".notification-list-item").filter({ hasText: text }).first();
    await item.waitFor();
    if (button !== undefined) {
      await item.locator(".monaco-button").filter({ hasText: button }).click();
    }
  }

  /** Shows the Notifications center, so that what is no longer a toast is recorded as well. */
  async reviewNotifications() {
    await this.runCommand("Notifications: Show Notifications");
    await this.nextFrame();
  }
}
