// SPDX-License-Identifier: Apache-2.0
// The value that a call returned, in the fast mode: after a step over it is known; where no call is known to have returned, VS
// Code offers to restart the program in the full mode.

const CALL_LINE = 13;

async function returnedByStep(window, mode) {
  await window.press("F10");
  await window.waitForStoppedLine("System.out");
  await window.typeInConsole(`"${mode}: twice is " + $return % 2`);
  await window.rowWith(".repl", `"${mode}: twice is 0"`);
}

export async function run(window) {
  await window.openByName("Threads.java");
  await window.setBreakpoint(CALL_LINE);
  await window.start();
  await window.waitForStoppedLine("int result");
  await window.typeInConsole("$return");
  await window.notification("$return", undefined);
  await window.shoot("1-offered");
  await returnedByStep(window, "fast");
  await window.notification("$return", "Restart in Full Mode");
  await window.waitForStoppedLine("int result");
  await returnedByStep(window, "full");
  await window.shoot("2-known");
  await window.removeBreakpoint();
  await window.press("F5");
  await window.waitForEnd();
  return { returned: true };
}
