// SPDX-License-Identifier: Apache-2.0
// The shortest program there is, several times: it ends while VS Code still asks about it.

/** `runs`: keys, and the lenses above main. */
export async function run(window, { runs, console }) {
  const output = console === "internalConsole" ? "console" : "terminal";
  await window.openByName("Hello.java");
  for (const [number, how] of runs.entries()) {
    await window.start(how.includes("F5") ? how : () => window.pressLens(how));
    await window.waitForEnd();
    if (output === "console") {
      await window.rowWith(".repl", "Hello, World!");
    } else {
      await window.waitForTerminal("Hello, World!");
    }
    await window.shoot(`run-${number + 1}`);
  }
  return {};
}
