// SPDX-License-Identifier: Apache-2.0
// The shortest program there is, several times: it ends while VS Code still asks about it.

const RUNS = ["F5", "F5", "Debug", "Run", "F5", "Control+F5"]; // keys, and the lenses above main

export async function run(window, options) {
  const output = options.console === "internalConsole" ? "console" : "terminal";
  await window.openFile("Hello.java");
  for (const [number, how] of RUNS.entries()) {
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
