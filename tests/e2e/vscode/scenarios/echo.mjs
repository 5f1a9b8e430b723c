// SPDX-License-Identifier: Apache-2.0
// A program that asks for a name, which is typed in the terminal or in the Debug Console.

export async function run(window, options) {
  const isConsole = options.console === "internalConsole";
  await window.openByName("Echo.java");
  await window.start();
  if (isConsole) {
    await window.rowWith(".repl", "name?");
    await window.typeInConsole("Duke");
    await window.rowWith(".repl", "Good day, Duke");
  } else {
    await window.waitForTerminal("name?");
    await window.typeInTerminal("Duke");
    await window.waitForTerminal("Good day, Duke");
  }
  await window.waitForEnd();
  return {};
}
