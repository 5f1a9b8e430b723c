// SPDX-License-Identifier: Apache-2.0
// The mouse over a name in the editor, and what the debugger shows there.

const SHOWN = ".debug-hover-widget";
const TRIES = 15;
const TIMEOUT_MS = 3000;

/** The middle of a name in the line with that text. */
async function placeOf(page, text, name) {
  return page.evaluate(
    ([wanted, word]) => {
      const lines = [...document.querySelectorAll(".editor-instance .view-lines .view-line")];
      const line = lines.find((each) => each.textContent.replaceAll("\u00a0", " ").includes(wanted));
      const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const begin = texts.currentNode.data.indexOf(word);
        if (begin >= 0) {
          const range = document.createRange();
          range.setStart(texts.currentNode, begin);
          range.setEnd(texts.currentNode, begin + word.length);
          const { x, y, width, height } = range.getBoundingClientRect();
          return { x: x + width / 2, y: y + height / 2 };
        }
      }
    },
    [text, name],
  );
}

/** Moves the mouse over a name in the line with that text; what is shown. */
export async function hover(window, text, name) {
  for (let nudge = 0; nudge < TRIES; nudge++) {
    const { x, y } = await placeOf(window.page, text, name); // the editor may have scrolled meanwhile
    await window.page.mouse.move(x + (nudge % 2), y);
    if (await window.appears(SHOWN, TIMEOUT_MS)) {
      return (await window.page.locator(SHOWN).innerText()).replaceAll(/\s+/g, " ").trim();
    }
  }
  throw new Error(`nothing is shown over ${name}`);
}
