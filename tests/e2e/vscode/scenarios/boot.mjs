// SPDX-License-Identifier: Apache-2.0
// A Spring Boot application: F5 on its main class, a stop in a bean, and new code for it while it runs.

export async function run(window, { line }) {
  const { page } = window;
  await window.openByName("ShopApplication.java");
  await window.setBreakpoint(line);
  await window.start();
  await window.waitForStoppedLine("System.out.println(greeting");
  const variables = await window.variables("this");
  await window.shoot("1-bean");
  await window.replaceLine(line, 'System.out.println(greeting + " to the new shop");');
  await page.keyboard.press("Control+s");
  await window.statusText("1 class replaced");
  await window.notification("goes on with the old code", "Restart Frame");
  await window.waitForStoppedLine("System.out.println(greeting");
  await window.press("F5");
  await window.waitForEnd();
  await window.runCommand("Terminal: Focus Terminal");
  await window.waitForTerminal("Welcome to the new shop");
  return { variables };
}
