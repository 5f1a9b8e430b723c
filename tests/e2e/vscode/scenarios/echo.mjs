// SPDX-License-Identifier: Apache-2.0
// A program that asks for a name: it runs in the terminal, where the answer is typed.

export async function run(window) {
  await window.openFile("Echo.java");
  await window.start();
  await window.waitForTerminal("name?");
  await window.typeInTerminal("Duke");
  await window.waitForTerminal("Good day, Duke");
  await window.waitForEnd();
  return {};
}
