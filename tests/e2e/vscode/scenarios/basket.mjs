// SPDX-License-Identifier: Apache-2.0
// A whole session by hand: breakpoint, F5, look, evaluate, hexadecimal, bytecode, step, an object that is kept, restart, run
// to the end.

import { callStack } from "../call_stack.mjs";
import { hover } from "../hovering.mjs";

export async function run(window, options) {
  const { page } = window;
  const seen = {};
  await window.openFile("Basket.java");
  await window.setBreakpoint(options.line);
  await window.shoot("1-breakpoint");
  await window.start();
  seen.stopped = await window.waitForStoppedLine("total += price");
  seen.callStack = await callStack(window, "main", "total");
  await window.lineWith("price = 900");
  seen.variables = await window.variables("price", "900");
  seen.hover = await hover(window, "total += price", "price");
  await window.typeInConsole('item.name + " x " + items.get(0).count');
  await window.rowWith(".repl", '"tea x 2"');
  seen.console = await window.rows(".repl");
  await window.shoot("2-stopped");
  await window.runCommand("jvmdebug: Integers in Hexadecimal");
  seen.hex = await window.rowWith(".debug-variables", "price", "0x384");
  await window.runCommand("jvmdebug: ✓ Integers in Hexadecimal");
  await window.rowWith(".debug-variables", "price", "900");
  await window.runCommand("Open Disassembly View");
  const code = page.locator(".editor-instance .monaco-list-row");
  await code.filter({ hasText: "iadd" }).first().waitFor();
  seen.disassembly = (await code.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ").trim());
  await window.shoot("3-disassembly");
  await window.runCommand("View: Close Editor");
  await window.press("F10");
  seen.stepped = await window.waitForStoppedLine("}");
  await window.rowWith(".debug-variables", "total", "900");
  await window.shoot("4-stepped");
  await window.menuOfVariable("this", "Keep This Object");
  seen.kept = await window.viewRow("Objects", "Basket@");
  await window.shoot("5-kept");
  await window.closeView("Objects");
  await window.press("Control+Shift+F5");
  seen.restarted = await window.waitForStoppedLine("total += price");
  await window.removeBreakpoint();
  await window.press("F5");
  await window.waitForEnd();
  await window.runCommand("Terminal: Focus Terminal");
  await window.waitForTerminal("total: 4048");
  return seen;
}
