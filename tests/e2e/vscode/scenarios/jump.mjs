// SPDX-License-Identifier: Apache-2.0
// Jump to Cursor: back to a line of the method, which runs again with another value, in both themes; and in main, where the
// reason is told why there is none.

const THEMES = "Preferences: Toggle between Light/Dark Themes";

export async function run(window, { line, back, main }) {
  const { page } = window;
  await window.openByName("Price.java");
  await window.setBreakpoint(line);
  await window.start();
  await window.waitForStoppedLine("return price");
  await window.goTo(back);
  await window.shoot("1-before");
  await window.runCommand("Debug: Jump to Cursor");
  await window.waitForStoppedLine("int price");
  await window.shoot("2-jumped");
  await window.runCommand(THEMES);
  await page.locator(".monaco-workbench.vs-dark").waitFor();
  await window.shoot("2-jumped-dark");
  await window.runCommand(THEMES);
  await page.locator(".monaco-workbench.vs").waitFor();
  const variables = await window.variables("amount =", "3");
  await window.press("F5");
  await window.waitForStoppedLine("return price");
  await window.press("Shift+F11");
  await window.waitForStoppedLine("int paid");
  await window.goTo(main);
  await window.runCommand("Debug: Jump to Cursor");
  await window.notification("cannot jump: main was called by the VM itself");
  await window.shoot("3-refused");
  await window.press("F5");
  await window.waitForEnd();
  return { variables };
}
