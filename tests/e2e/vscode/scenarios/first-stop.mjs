// SPDX-License-Identifier: Apache-2.0
// How long it takes from F5 to the marked line and its variables: a program that is compiled, several times.

/** `runs`: how often, after one that compiles. The times are in ms from the key. */
export async function run(window, { line, runs }) {
  const { page } = window;
  await window.openByName("Greeting.java");
  await window.setBreakpoint(line);
  const found = [];
  for (let number = 0; number <= runs; number++) {
    const begun = Date.now();
    await window.start();
    const shown = Date.now() - begun;
    await page.waitForSelector(".editor-instance .debug-top-stack-frame-line");
    const stopped = Date.now() - begun;
    await window.variables("text");
    const variables = Date.now() - begun;
    found.push({ toolbar: shown, stopped, variables });
    await window.press("F5");
    await window.waitForEnd();
  }
  await window.shoot("end");
  return { times: found.slice(1) };
}
