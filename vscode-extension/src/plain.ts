// SPDX-License-Identifier: Apache-2.0
// Texts of the program in places where VS Code makes icons of `$(name)`: labels of quick picks, the status bar.

/** Keeps a text as it is: a character without a width is put between `$` and `(`. */
export function plain(text: string): string {
  return text.replaceAll("$(", "$\u200B(");
}
