// SPDX-License-Identifier: Apache-2.0
// Attaches to a process that is picked from the list: a conditional breakpoint, a log point, a thrown exception that is ticked in the session, and
// what Breakpoint Hits says of it; then once more, by the host and port that its agent listens on.

export async function run(window, options) {
  const { page } = window;
  await window.openByName("Server.java");
  await window.start(async () => {
    await window.runCommand("jvmdebug: Attach to Java Process…", false);
    const listed = page.locator(".quick-input-list .monaco-list-row").filter({ hasText: String(options.pid) });
    await listed.filter({ hasText: "Server" }).waitFor();
    await window.shoot("0-processes");
    await listed.click();
  });
  await window.addBreakpoint(options.logged, "Add Logpoint", "refused {refused.getClass()}");
  await window.addBreakpoint(options.served, "Add Conditional Breakpoint", "number % 7 == 0");
  await window.waitForStoppedLine("answers.add");
  const variables = await window.variables("number");
  await window.openView("Breakpoint Hits");
  const hits = await window.viewRow("Breakpoint Hits", `Server.java:${options.logged}`, "refused");
  await window.shoot("1-condition");
  await window.closeView("Breakpoint Hits");
  await window.tick("Caught Exceptions");
  await page.keyboard.press("F5");
  const exception = await window.waitForStoppedLine("throw new IllegalStateException");
  await window.shoot("2-exception");
  await window.tick("Caught Exceptions"); // no longer
  await window.press("Shift+F5"); // disconnects: the program goes on
  await window.waitForEnd();
  await window.start(async () => {
    await window.runCommand("jvmdebug: Attach to Host and Port…", false);
    await window.fillInput(`127.0.0.1:${options.port}`);
  });
  await window.waitForStoppedLine("answers.add");
  await window.shoot("3-by-port");
  await window.press("Shift+F5");
  await window.waitForEnd();
  return { variables, hits, exception };
}
