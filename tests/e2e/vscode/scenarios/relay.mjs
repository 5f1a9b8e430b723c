// SPDX-License-Identifier: Apache-2.0
// Attaches to a program through a relay, whose token it asks for.

export async function run(window, options) {
  const { page } = window;
  await window.openByName("Server.java");
  await window.setBreakpoint(options.served);
  await window.runCommand("jvmdebug: Attach to Host and Port…", false);
  await window.fillInput(options.relay);
  const asking = page.locator(".quick-input-widget").filter({ hasText: "secret storage" });
  await asking.waitFor();
  const asked = await asking.locator(".quick-input-titlebar").textContent();
  await window.shoot("1-token");
  await window.start(() => window.fillInput(options.token));
  await window.waitForStoppedLine("answers.add");
  const relayed = await window.variables("number");
  await window.shoot("2-stopped");
  await window.press("Shift+F5");
  await window.waitForEnd();
  return { asked, relayed };
}
