// SPDX-License-Identifier: Apache-2.0
// The value that a method returned, in the fast mode: VS Code offers to restart the program in the full mode.

const RETURN_LINE = 18;

async function stepOut(window) {
  await window.waitForStoppedLine("return number * 2");
  await window.press("Shift+F11");
  await window.waitForStoppedLine("int result");
}

export async function run(window) {
  await window.openByName("Threads.java");
  await window.setBreakpoint(RETURN_LINE);
  await window.start();
  await stepOut(window);
  await window.typeInConsole("$return");
  await window.notification("$return", undefined);
  await window.shoot("1-offered");
  await window.notification("$return", "Restart in Full Mode");
  await stepOut(window);
  await window.typeInConsole('"twice is " + $return % 2');
  await window.rowWith(".repl", '"twice is 0"');
  await window.shoot("2-known");
  await window.removeBreakpoint();
  await window.press("F5");
  await window.waitForEnd();
  return { returned: true };
}
