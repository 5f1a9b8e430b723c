// SPDX-License-Identifier: Apache-2.0
// A class without a main method: java says so in the terminal, and nobody says it again.

export async function run(window) {
  await window.openByName("Mainless.java");
  await window.start();
  await window.waitForTerminal("Main method not found in class Mainless");
  await window.waitForEnd();
  return {};
}
