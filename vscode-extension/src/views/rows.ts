// SPDX-License-Identifier: Apache-2.0
// What all rows of our views have in common for those who do not see them: a screen reader says what a row shows.

import type * as vscode from "vscode";

/**
 * Says the name of a row and what is shown beside it. VS Code reads out the tooltip otherwise, which explains and need not
 * tell what is shown.
 */
export function readAloud(item: vscode.TreeItem): vscode.TreeItem {
  const name = typeof item.label === "string" ? item.label : (item.label?.label ?? "");
  const shown = typeof item.description === "string" ? item.description : "";
  item.accessibilityInformation = { label: shown === "" ? name : `${name}, ${shown}` };
  return item;
}
