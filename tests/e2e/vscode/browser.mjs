// SPDX-License-Identifier: Apache-2.0
// Headless Chromium with VS Code windows. Records every notification, dialog and Debug Console line that VS Code shows as
// an error or a warning, also those that disappear again. What a person does in a window is `window.mjs`.

import { createRequire } from "node:module";
import { join } from "node:path";

import { STEP_TIMEOUT_MS, Window } from "./window.mjs";

const BROWSER_ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", // nothing but this machine
];

/**
 * Runs in the page: reports what is shown as an error or a warning as soon as it is drawn, and counts the starts and
 * ends of debugging (the toolbar comes and goes), which are too short for polling.
 */
function watch() {
  const reported = (window.reportedAlarms = new Set());
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
  // Animations cost more than the rest where a processor draws them.
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
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
  async openWindow(url) {
    const page = await this.context.newPage();
    page.setDefaultTimeout(STEP_TIMEOUT_MS);
    const window = new Window(page);
    await page.exposeFunction("reportAlarm", (alarm) => {
      window.alarms.push(alarm);
    });
    await page.addInitScript(watch);
    await page.goto(url);
    await page.waitForSelector(".monaco-workbench");
    return window;
  }
}
