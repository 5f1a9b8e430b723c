// SPDX-License-Identifier: Apache-2.0
// Beside another Java extension, and without the debugger: the one of the workspace's .venv is used; when that is gone, one
// click installs it and the program runs; so it does the next time.

import { rm } from "node:fs/promises";

export async function run(window, { environment }) {
  const { page } = window;
  const lens = (title) => window.pressLens(`${title} \\(jvmdebug\\)`);
  const runs = async (text) => {
    await window.waitForTerminal(text);
    await window.waitForEnd();
  };
  await window.openByName("Hello.java");
  await window.start(() => lens("Debug"));
  await runs("Hello 1");
  await window.shoot("1-of-the-workspace");
  await rm(environment, { recursive: true });
  await lens("Debug");
  const offer = page.locator(".notification-list-item").filter({ hasText: "is not installed" });
  await offer.waitFor();
  await window.shoot("2-offer");
  await window.start(() => offer.locator(".monaco-button").filter({ hasText: "Install" }).click());
  await runs("Hello 2");
  await window.shoot("3-installed");
  await window.start(() => lens("Run"));
  await runs("Hello 3");
  const lenses = await page.locator(".editor-instance .codelens-decoration a").allInnerTexts();
  return { lenses };
}
