// SPDX-License-Identifier: Apache-2.0
// A part of a working day in a Gradle project with Kotlin and virtual threads: a build and a start, a name that is typed, a stop
// in a virtual thread, steps out into Java, a breakpoint that waits for another one, and a source that is saved while nothing is
// to be replaced. Each stage is pictured in both themes.

const BUILD_MS = 150_000; // Gradle without its daemon, and Kotlin
const THEMES = "Preferences: Toggle between Light/Dark Themes";

export async function run(window, { lent, done }) {
  const { page } = window;
  const seen = {};
  const shoot = async (name) => {
    await window.shoot(name);
    await window.runCommand(THEMES);
    await page.locator(".monaco-workbench.vs-dark").waitFor();
    await window.shoot(`${name}-dark`);
    await window.runCommand(THEMES);
    await page.locator(".monaco-workbench.vs").waitFor();
  };
  await window.openByName("Library.kt");
  await window.setBreakpoint(lent);
  await window.openByName("Main.java");
  await waitingBreakpoint(window, done);
  await shoot("1-breakpoints");
  const { starts } = await page.evaluate(() => window.debugging);
  await window.press("F5");
  const begun = (before) => window.debugging.starts > before;
  await page.waitForFunction(begun, starts, { timeout: BUILD_MS });
  await window.waitForTerminal("who?");
  await window.typeInTerminal("Ada");
  await window.waitForStoppedLine("return book");
  seen.variables = await window.variables("book =", '"Book(title=Dune, left=2)"');
  await window.lineWith('"Book(title=Dune'); // VS Code asks again after a while, the longer the slower it was before
  seen.stack = await window.rows(".debug-call-stack");
  await shoot("2-virtual-thread");

  await window.press("Shift+F11");
  await window.waitForStoppedLine("library.lend");
  await shoot("3-stepped-out");

  await window.press("F5");
  await window.waitForStoppedLine("System.out.println");
  seen.after = await window.variables("lending =");
  await window.replaceLine(done, 'System.out.println("changed " + member);');
  await page.keyboard.press("Control+s");
  await page.locator(".tab.active:not(.dirty)").waitFor();
  await shoot("4-saved");
  await window.press("F5");
  await window.waitForEnd();
  await shoot("5-end");
  return seen;
}

/** Sets a breakpoint that is armed when the only other one was hit, by the menu of the gutter. */
async function waitingBreakpoint(window, line) {
  const { page } = window;
  const { x, y } = await window.waitForGutter(line);
  await page.mouse.click(x, y, { button: "right" });
  await window.chooseInMenu("Add Triggered Breakpoint");
  const widget = page.locator(".breakpoint-widget");
  const select = widget.locator("select").last();
  await select.waitFor();
  await select.selectOption({ index: 1 }); // the first is "None"
  await widget.locator(".monaco-button").filter({ hasText: "OK" }).click();
}
