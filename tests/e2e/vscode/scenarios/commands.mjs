// SPDX-License-Identifier: Apache-2.0
// Each command of the extension, called from the palette at a stop. What asks something is dismissed. None may show an
// error, which fails every scenario.

const STOP = "return number";
const BEFORE_CALL = "int doubled";

/** What leaves the stop, and how to get back to it. */
const BACK = {
  "Pop Frame": async (window) => {
    await window.waitForStoppedLine(BEFORE_CALL);
    await window.press("F5");
  },
  "Open the Evaluate Window": async (window) => {
    await window.lineWith("evaluates all of it");
    await window.runCommand("View: Revert and Close Editor");
  },
  "Open Walkthrough": async (window) => {
    await window.page.locator(".gettingStartedContainer").filter({ hasText: "Install the debugger" }).waitFor();
    await window.runCommand("View: Close Editor");
  },
  "Restart in Full Mode": (window) => window.waitForTerminal("begun in full mode"),
};

export async function run(window, { line, titles }) {
  const { page } = window;
  await window.openByName("Work.java");
  await window.setBreakpoint(line);
  await window.start();
  await window.waitForStoppedLine(STOP);
  const asked = [];
  for (const [number, title] of titles.entries()) {
    await window.runCommand(`jvmdebug: ${title}`, false);
    if (title.endsWith("…")) {
      // The input that the command shows has replaced the palette.
      await page.waitForFunction(() => {
        const input = document.querySelector(".quick-input-widget input");
        return input !== null && !input.value.startsWith(">");
      });
      asked.push(title);
      await window.shoot(`${String(number).padStart(2, "0")}-asks`);
      await page.keyboard.press("Escape");
    }
    await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
    await BACK[title]?.(window);
    await window.waitForStoppedLine(STOP);
  }
  await window.shoot("all");
  await window.press("Shift+F5");
  await window.waitForEnd();
  await window.start(() => window.runCommand("jvmdebug: Debug Java File"));
  await window.waitForStoppedLine(STOP);
  await window.press("Shift+F5");
  await window.waitForEnd();
  await window.runCommand("jvmdebug: Run Java File");
  await window.waitForTerminal("finished");
  return { asked };
}
