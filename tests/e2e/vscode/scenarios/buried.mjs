// SPDX-License-Identifier: Apache-2.0
// An exception below more frames of libraries than VS Code reads: the user's own line is opened with the exception's box;
// where no frame is the user's, the code that throws is.

export async function run(window, { file, calls }) {
  const { page } = window;
  await window.openByName(file);
  await window.start();
  await page.waitForSelector(".editor-instance .debug-top-stack-frame-line");
  const line = await window.waitForStoppedLine(calls);
  const box = page.locator(".editor-instance .exception-widget");
  await box.waitFor();
  const exception = (await box.innerText()).replaceAll(/\s+/g, " ");
  const tab = await page.locator(".tab.active").innerText();
  const variables = calls === "" ? await window.variables("") : await window.variables("all");
  const callStack = await window.rows(".debug-call-stack");
  await window.shoot(file);
  await window.press("F5");
  await window.waitForEnd();
  return { line, exception, tab, variables, callStack };
}
