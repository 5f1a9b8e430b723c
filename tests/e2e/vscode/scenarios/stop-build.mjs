// SPDX-License-Identifier: Apache-2.0
// A build that takes long is stopped as a program is, and no error is shown.

export async function run(window) {
  const progress = window.page.locator(".notification-list-item").filter({ hasText: "Starting the program" });
  await window.openByName("Main.java");
  await window.press("F5");
  await progress.waitFor();
  await window.shoot("1-building");
  await window.press("Shift+F5");
  await progress.waitFor({ state: "detached" });
  await window.shoot("2-stopped");
  return {};
}
