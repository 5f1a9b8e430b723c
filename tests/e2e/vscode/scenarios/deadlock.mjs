// SPDX-License-Identifier: Apache-2.0
// Two threads wait for each other: the program is paused, and Threads & Monitors says who holds what.

export async function run(window) {
  await window.openByName("Deadlock.java");
  await window.start();
  await window.waitForTerminal("deadlocked");
  await window.runCommand("jvmdebug: Read Threads and Monitors"); // of a running program
  await window.openView("Threads & Monitors");
  const running = await window.viewRow("Threads & Monitors", "Deadlock of 2 threads");
  await window.press("F6");
  await window.rowWith(".debug-call-stack", "main", /paused/i);
  const threads = await window.viewRow("Threads & Monitors", "two", "held by one");
  await window.shoot("1-deadlock");
  await window.closeView("Threads & Monitors");
  await window.press("Shift+F5");
  await window.waitForEnd();
  return { running, threads };
}
