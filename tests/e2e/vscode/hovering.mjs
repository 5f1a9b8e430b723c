// SPDX-License-Identifier: Apache-2.0
// The mouse over a name in the editor, and what the debugger shows there.

const SHOWN = ".debug-hover-widget";
const TRIES = 15;
const TIMEOUT_MS = 3000;

/** Where a name is in the line with that text. */
async function boxOf(page, text, name) {
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
          return { x, y: y + height / 2, width };
        }
      }
    },
    [text, name],
  );
}

/**
 * Moves the mouse over a name in the line with that text; what is shown. VS Code drops what it was about to show when
 * values at the ends of lines make the text wider, and looks again only when the mouse comes to another letter.
 */
export async function hover(window, text, name) {
  for (let tries = 0; tries < TRIES; tries++) {
    const { x, y, width } = await boxOf(window.page, text, name); // the editor may have scrolled meanwhile
    await window.page.mouse.move(x + width * (tries % 2 ? 0.75 : 0.25), y);
    if (await window.appears(SHOWN, TIMEOUT_MS)) {
      return (await window.page.locator(SHOWN).innerText()).replaceAll(/\s+/g, " ").trim();
    }
  }
  throw new Error(`nothing is shown over ${name}`);
}
