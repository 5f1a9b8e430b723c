// SPDX-License-Identifier: Apache-2.0
// Save and go on: a mistake is a squiggle and a line in the status bar; once it compiles, the stopped program has the
// new code, and the frame that runs the old one is restarted.

export async function run(window, { line }) {
  const { page } = window;
  await window.openByName("Greeting.java");
  await window.setBreakpoint(line);
  await window.start();
  await window.waitForStoppedLine("return text");
  await window.replaceLine(line - 1, 'String text = "new " + nobody;');
  await page.keyboard.press("Control+s");
  const failed = await window.statusText("Greeting.java:7: ");
  await page.waitForSelector(".editor-instance .squiggly-error");
  await window.shoot("1-mistake");
  await window.replaceLine(line - 1, 'String text = "new " + name;');
  await page.keyboard.press("Control+s");
  const replaced = await window.statusText("1 class replaced");
  await window.notification("goes on with the old code");
  await window.shoot("2-replaced");
  const oldCode = page.locator(".editor-instance .view-line").filter({ hasText: "that was replaced by a hot swap" });
  do {
    // VS Code reads the stack again: its rows move, and a click may meet another one.
    await page.locator(".debug-call-stack .monaco-list-row").filter({ hasText: "(old code)" }).click();
  } while (!(await window.waitFor(oldCode, 3000)));
  await window.shoot("3-old-code");
  await window.notification("goes on with the old code", "Restart Frame");
  await window.waitForStoppedLine("String text");
  await window.press("F10");
  await window.waitForStoppedLine("return text");
  const variables = await window.variables("text", "new Duke");
  await window.shoot("4-new-code");
  await window.press("F5");
  await window.waitForEnd();
  await window.runCommand("Terminal: Focus Terminal");
  await window.waitForTerminal("new Duke");
  return { failed, replaced, variables };
}
