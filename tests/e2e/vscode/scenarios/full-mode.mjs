// SPDX-License-Identifier: Apache-2.0
// The value that a call returned during a step over, in the fast mode: VS Code offers to restart the program in the full mode.

const CALL_LINE = 13;

async function stepOver(window) {
  await window.waitForStoppedLine("int result");
  await window.press("F10");
  await window.waitForStoppedLine("System.out");
}

export async function run(window) {
  await window.openByName("Threads.java");
  await window.setBreakpoint(CALL_LINE);
  await window.start();
  await stepOver(window);
  await window.typeInConsole("$return");
  await window.notification("$return", undefined);
  await window.shoot("1-offered");
  await window.notification("$return", "Restart in Full Mode");
  await stepOver(window);
  await window.typeInConsole('"twice is " + $return % 2');
  await window.rowWith(".repl", '"twice is 0"');
  await window.shoot("2-known");
  await window.removeBreakpoint();
  await window.press("F5");
  await window.waitForEnd();
  return { returned: true };
}
