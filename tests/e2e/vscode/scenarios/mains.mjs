// SPDX-License-Identifier: Apache-2.0
// F5 in a file without main, in a folder with several: one is picked, it is started without a question the next time, and
// Select Main Class… picks another, also one of which only the class file is there.

export async function run(window, { one, two, compiled, helper }) {
  const { page } = window;
  const pick = async (name) => {
    const row = page.locator(".quick-input-list .monaco-list-row").filter({ hasText: name }).first();
    await row.waitFor();
    await page.locator(".quick-input-widget input").fill(name);
    const shown = await row.innerText();
    await page.keyboard.press("Enter");
    return shown;
  };
  const ends = async (text) => {
    await window.waitForTerminal(text);
    await window.waitForEnd();
  };
  await window.openByName(helper);
  let shown = "";
  await window.start(async () => {
    await window.press("F5");
    shown = await pick(one);
  });
  await ends(`${one} 1`);
  await window.start("F5"); // the same, without a question
  await ends(`${one} 2`);
  await window.runCommand("jvmdebug: Select Main Class…", false);
  await pick(two);
  await window.start("Control+F5");
  await ends(`${two} 1`);
  await window.shoot("1-chosen");
  await window.runCommand("jvmdebug: Select Main Class…", false);
  await pick(compiled);
  await window.start("F5");
  await ends(`${compiled} runs`);
  await window.shoot("2-without-a-source");
  return { shown };
}
