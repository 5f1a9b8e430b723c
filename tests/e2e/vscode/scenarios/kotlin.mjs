// SPDX-License-Identifier: Apache-2.0
// A Gradle build with Kotlin beside Java: a breakpoint in Kotlin, F5 on the main class in Java, a lens above the one in
// Kotlin; a trace of the method at the cursor; tests in Kotlin.

export async function run(window, { line }) {
  await window.openByName("Cart.kt");
  await window.setBreakpoint(line);
  const stops = async (how) => {
    await window.start(how);
    await window.waitForStoppedLine("return sum");
    await window.variables("sum");
    await window.runCommand("jvmdebug: Trace This Method…", false);
    await window.page.waitForFunction(() => document.querySelector(".quick-input-widget input")?.value === "shop.Cart#total");
    await window.page.keyboard.press("Escape");
    await window.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
    const rows = await window.rowWith(".debug-call-stack", "main");
    await window.press("F5");
    await window.waitForEnd();
    return rows;
  };
  await window.openByName("Main.java");
  const ofJava = await stops("F5");
  await window.openByName("Hello.kt");
  const ofKotlin = await stops(() => window.pressLens("Debug"));
  await window.shoot("1-kotlin");
  await window.runCommand("Remove All Breakpoints");

  await window.openByName("Tests.kt");
  await window.pressLens("Run"); // above the class
  await window.page.waitForSelector(".editor-instance .testing-run-glyph.codicon-testing-failed-icon");
  await window.runCommand("Testing: Focus on Test Explorer View");
  await window.expandTests();
  const tests = await window.testRow("fails", "Failed");
  await window.shoot("2-tests");
  return { ofJava, ofKotlin, tests };
}
