// SPDX-License-Identifier: Apache-2.0
// A command makes breakpoints suspend only the thread that reaches them.

const LINES = [13, 18];

export async function run(window) {
  await window.openByName("Threads.java");
  for (const line of LINES) {
    await window.setBreakpoint(line);
  }
  await window.start();
  await window.waitForStoppedLine("int result");
  await window.runCommand("jvmdebug: Suspend Only the Thread That Stops");
  await window.press("F5");
  await window.waitForStoppedLine("return number * 2");
  const threads = await window.rowWith(".debug-call-stack", "Reference Handler", /running/i);
  await window.shoot("1-one-thread");
  await window.runCommand("jvmdebug: ✓ Suspend Only the Thread That Stops"); // it is a setting, for later scenarios too
  await window.press("F5");
  await window.waitForEnd();
  return { threads };
}
