// SPDX-License-Identifier: Apache-2.0
// A program that does not compile: a squiggle, and one message that leads to the line; no dialog.

export async function run(window) {
  await window.openByName("Wrong.java");
  await window.press("F5");
  await window.notification("Not started, Wrong.java:3");
  await window.page.waitForSelector(".editor-instance .squiggly-error");
  await window.shoot("1-mistake");
  await window.notification("Not started, Wrong.java:3", "Go to Error");
  const place = await window.statusText("Ln 3");
  return { place };
}
