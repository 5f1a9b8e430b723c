// SPDX-License-Identifier: Apache-2.0
// The shortest program there is, several times: it ends while VS Code still asks about it.

const RUNS = 6;

export async function run(window) {
  const output = process.env.JVMDEBUG_CONSOLE === "internalConsole" ? "console" : "terminal";
  await window.openFile("Hello.java");
  for (let number = 1; number <= RUNS; number++) {
    await window.start(number === RUNS ? "Control+F5" : "F5");
    await window.waitForEnd();
    if (output === "console") {
      await window.rowWith(".repl", "Hello, World!");
    } else {
      await window.waitForTerminal("Hello, World!");
    }
    await window.shoot(`run-${number}`);
  }
  return {};
}
