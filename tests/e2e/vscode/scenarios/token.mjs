// SPDX-License-Identifier: Apache-2.0
// Attaches to an agent that asks for a token: the question, a wrong answer, the right one, and once more without a question, as the
// token is kept.

export async function run(window, options) {
  const { page } = window;
  const attach = async () => {
    await window.runCommand("jvmdebug: Attach to Host and Port…", false);
    await window.fillInput(`127.0.0.1:${options.port}`);
  };
  const question = async (words) => {
    await page.locator(".quick-input-widget").filter({ hasText: words }).waitFor();
    return page.locator(".quick-input-widget").innerText();
  };
  const seen = {};
  await window.openByName("Guarded.java");
  await window.setBreakpoint(options.served);
  await attach();
  seen.first = await question("The agent asks for its token");
  seen.isHidden = (await page.locator(".quick-input-widget input").getAttribute("type")) === "password";
  await window.shoot("1-asked");
  await window.fillInput("a token that is not the agent's");
  seen.second = await question("is not the agent's");
  await window.shoot("2-asked-again");
  await window.fillInput(options.token);
  await window.waitForStoppedLine("answers.add");
  await window.shoot("3-stopped");
  await window.press("Shift+F5");
  await window.waitForEnd();
  await window.start(attach);
  await window.waitForStoppedLine("answers.add");
  await window.press("Shift+F5");
  await window.waitForEnd();
  return seen;
}
