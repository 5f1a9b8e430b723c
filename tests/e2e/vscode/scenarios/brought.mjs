// SPDX-License-Identifier: Apache-2.0
// A machine with a JDK and no Python: what the extension contains debugs the program, with no click before.

export async function run(window) {
  const { page } = window;
  const lens = (title) => window.pressLens(title);
  await window.openByName("Hello.java");
  await window.start(() => lens("Debug"));
  await window.waitForTerminal("Hello 1");
  await window.waitForEnd();
  await window.shoot("1-ended");
  const lenses = await page.locator(".editor-instance .codelens-decoration a").allInnerTexts();
  return { lenses };
}
