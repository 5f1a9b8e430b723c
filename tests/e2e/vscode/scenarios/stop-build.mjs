// SPDX-License-Identifier: Apache-2.0
// A build that takes long is stopped as a program is, and no error is shown. F5 after that builds and debugs.

export async function run(window, { line }) {
  const progress = window.page.locator(".notification-list-item").filter({ hasText: "Starting the program" });
  await window.openByName("Main.java");
  await window.setBreakpoint(line);
  await window.press("F5");
  await progress.waitFor();
  await window.shoot("1-building");
  await window.press("Shift+F5");
  await window.page.locator(".debug-toolbar").waitFor({ state: "hidden" }); // F5 would be lost
  await window.start();
  await window.waitForStoppedLine("System.out");
  await window.shoot("2-again");
  await window.press("F5");
  await window.waitForEnd();
  return {};
}
