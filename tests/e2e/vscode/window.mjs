// SPDX-License-Identifier: Apache-2.0
// What a person does in a VS Code window: open a file, click the gutter, press keys, run commands, read views. Knows no
// scenario; `browser.mjs` makes it.

import { join } from "node:path";

export const STEP_TIMEOUT_MS = 45_000;
const HINT_TIMEOUT_MS = 500;
const LENS_TIMEOUT_MS = 3000;
const LIST_TIMEOUT_MS = 2000;
const MOST_LISTS = 15;
const TOAST_MS = 16_000; // VS Code shows a message for 15 s, and then in the Notifications center alone
/** Bound in the profile, see `conftest.py`. */
const TIDY_KEY = "Control+Alt+Shift+F12";
const GUTTER_MARK = ".editor-instance .codicon-debug-breakpoint";
/** Of all kinds: of log points and with conditions, too. */
const GUTTER_MARKS = '.editor-instance [class*="codicon-debug-breakpoint"]';

export class Window {
  constructor(page) {
    this.page = page;
    /** What was shown as an error or a warning: `{ where, severity, text }`, each once. */
    this.alarms = [];
  }

  /** A scenario begins: what was shown before it is not its own. */
  begin(screenshots) {
    this.alarms = [];
    this.screenshots = screenshots;
  }

  /** Leaves nothing of the scenario before: breakpoints, editors, terminals, notifications, lines of the console. */
  async tidy() {
    await this.page.keyboard.press(TIDY_KEY);
    for (const rest of [".tabs-container .tab", ".terminal-wrapper", ".notification-list-item", ".repl .monaco-list-row"]) {
      await this.page.waitForFunction((selector) => document.querySelector(selector) === null, rest);
    }
    await this.page.evaluate(() => window.reportedAlarms.clear());
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

  /** Opens a file by its name, wherever it is, and waits until the extension is known to the window. */
  async openByName(name) {
    await this.pickFile(name);
    await this.page.waitForSelector(".editor-instance .monaco-editor .view-line");
    // Those above main or a test come later, and move the lines below.
    await this.appears(".editor-instance .codelens-decoration a", LENS_TIMEOUT_MS);
    await this.waitForGutter(1);
  }

  /** Opens a file by its name, in whatever editor it has. */
  async pickFile(name) {
    const row = this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: name }).first();
    const isListed = async () => {
      await this.page.keyboard.press("Control+p");
      await this.page.locator(".quick-input-widget input").fill(name);
      return this.waitFor(row, LIST_TIMEOUT_MS);
    };
    // What is listed is a little old: a file that was just made may be in the next list.
    for (let tries = 1; !(await isListed()) && tries < MOST_LISTS; tries++) {
      await this.page.keyboard.press("Escape");
    }
    await row.click();
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
    if ((await this.gutterOf(line)) === undefined) {
      await this.goTo(line); // further down
    }
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
    do {
      await this.chooseInMenu(item);
    } while (!(await this.appears(".breakpoint-widget .monaco-editor.focused", 2000)));
    await this.page.keyboard.type(text);
    await this.page.keyboard.press("Enter");
    await this.page.locator(GUTTER_MARKS).nth(before).waitFor();
  }

  /** Presses an item of the menu that is open; a menu takes no click in the moment in which it opens. */
  async chooseInMenu(item) {
    const label = this.page.locator(".monaco-menu .action-label").filter({ hasText: item }).first();
    do {
      await label.click({ timeout: HINT_TIMEOUT_MS }).catch(() => undefined);
    } while (await label.isVisible());
  }

  /** Presses an item in the menu of a variable. */
  async menuOfVariable(name, item) {
    const row = this.page.locator(".debug-variables .monaco-list-row").filter({ hasText: name }).first();
    await row.click({ button: "right" });
    await this.page.locator(".monaco-menu .action-label").filter({ hasText: item }).first().waitFor();
    await this.chooseInMenu(item);
  }

  /** Waits until a line of the editor has the text, with the values that VS Code shows at its end. */
  async lineWith(text) {
    await this.page.waitForFunction((wanted) => {
      const lines = [...document.querySelectorAll(".editor-instance .view-lines .view-line")];
      return lines.some((each) => each.textContent.replaceAll("\u00a0", " ").includes(wanted));
    }, text);
  }

  /** Puts the cursor at the end of a line. */
  async goTo(line) {
    await this.focusEditor();
    await this.page.keyboard.press("Control+g");
    await this.fillInput(`:${line}`);
    await this.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
    await this.page.keyboard.press("End");
  }

  /** Replaces the text of a line, behind its indentation. */
  async replaceLine(line, text) {
    await this.goTo(line);
    await this.page.keyboard.press("Home");
    await this.page.keyboard.press("Shift+End");
    await this.page.keyboard.insertText(text);
  }

  /** Waits until an item of the status bar has the text; the whole of it. */
  async statusText(text) {
    const item = this.page.locator(".statusbar-item").filter({ hasText: text }).first();
    await item.waitFor();
    return item.innerText();
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

  async openView(title, isOpen = true) {
    const header = this.pane(title).locator(".pane-header").first();
    await header.waitFor();
    if (((await header.getAttribute("aria-expanded")) === "true") !== isOpen) {
      await header.click();
    }
  }

  closeView(title) {
    return this.openView(title, false);
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

  /** Opens all items of the Test Explorer. */
  async expandTests() {
    const closed = this.page.locator('.test-explorer .monaco-list-row[aria-expanded="false"] .monaco-tl-twistie');
    for (let left = await closed.count(); left > 0; left = await closed.count()) {
      await closed.first().click();
    }
  }

  /** Waits until a row of the Test Explorer has all the words, and returns what each shows: `adds (Passed), in 3ms`. */
  async testRow(...words) {
    const labels = () =>
      this.page
        .locator(".test-explorer .monaco-list-row")
        .evaluateAll((rows) => rows.map((each) => each.getAttribute("aria-label") ?? ""));
    const deadline = Date.now() + STEP_TIMEOUT_MS;
    for (;;) {
      const found = await labels();
      if (found.some((label) => words.every((word) => label.includes(word)))) {
        return found;
      }
      if (Date.now() > deadline) {
        throw new Error(`no test "${words.join(" ")}": ${found.join("; ")}`);
      }
      await this.nextFrame();
    }
  }

  async appears(selector, timeout = STEP_TIMEOUT_MS) {
    return this.waitFor(this.page.locator(selector).first(), timeout);
  }

  /** Whether an element is shown in time. */
  waitFor(element, timeout) {
    return element.waitFor({ timeout }).then(() => true, () => false);
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

  /** Runs a command by its name, as the command palette shows it; `isAll`: it asks nothing at the same place. */
  async runCommand(name, isAll = true) {
    const command = this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: name }).first();
    const isListed = async () => {
      await this.page.keyboard.press("F1");
      await this.page.locator(".quick-input-widget input").fill(`>${name}`);
      return this.waitFor(command, LIST_TIMEOUT_MS);
    };
    // The list is as of the moment in which it opens: what was just made possible may be in the next one.
    for (let tries = 1; !(await isListed()) && tries < MOST_LISTS; tries++) {
      await this.page.keyboard.press("Escape");
    }
    await command.click();
    if (isAll) {
      await this.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
    }
  }

  /** Waits for a notification with the text, and presses one of its buttons if `button` is given. */
  async notification(text, button) {
    const item = this.page.locator(".notification-list-item").filter({ hasText: text }).first();
    if (!(await this.waitFor(item, TOAST_MS))) {
      await this.reviewNotifications();
    }
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
