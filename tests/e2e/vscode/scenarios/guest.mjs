// SPDX-License-Identifier: Apache-2.0
// An assistant is refused until the user lets one join, then is in with a mark in the status bar;
// when it leaves, the mark goes and the program can be debugged on.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const LINE = 13;

/** Joins as an assistant does; `lines` has what it prints. */
function assistant(options) {
  const child = spawn(options.python, [options.script], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, next: async () => (await lines.next()).value };
}

export async function run(window, options) {
  await window.openByName("Threads.java");
  await window.setBreakpoint(LINE);
  await window.start();
  await window.waitForStoppedLine("int result");
  const { child, next } = assistant(options);
  const refused = await next();
  await window.runCommand("jvmdebug: Let an Assistant Join This Session", false);
  await window.fillInput("Read Only");
  await window.notification("jvmdebug mcp --join Threads", undefined);
  child.stdin.write("again\n");
  const joined = await next();
  await window.statusText("Assistant is in, may look");
  await window.shoot("1-in");
  child.stdin.write("leave\n");
  await window.page.locator(".statusbar-item", { hasText: "Assistant is in" }).waitFor({ state: "detached" });
  await window.removeBreakpoint();
  await window.press("F5");
  await window.waitForEnd();
  return { refused, joined };
}
