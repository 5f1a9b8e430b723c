// SPDX-License-Identifier: Apache-2.0
// Explains whether the program itself checks the conditions of breakpoints, at full speed, or the
// debugger, and why.

import * as vscode from "vscode";

import { plain } from "../plain";
import { activeSession, showError } from "./session";

interface Probe {
  readonly location: string;
  readonly condition?: string;
  readonly hitCondition?: string;
  readonly how: string;
  readonly why?: string;
  readonly hits: number;
}

/** Makes the item of a condition. */
export function conditionItem(probe: Probe): vscode.QuickPickItem {
  const conditions = [probe.condition, probe.hitCondition === undefined ? undefined : `hits: ${probe.hitCondition}`];
  const by = probe.how === "probe" ? "checked by the program itself" : `checked by the debugger${probe.why === undefined ? "" : `: ${probe.why}`}`;
  return {
    label: plain(conditions.filter((each) => each !== undefined).join(", ")) || "without a condition",
    description: `held ${String(probe.hits)}×`,
    detail: plain(`${probe.location}, ${by}`),
  };
}

/** The command that shows the list. */
export async function explainConditions(): Promise<void> {
  const session = activeSession();
  if (session === undefined) {
    return;
  }
  try {
    const { probes } = (await session.customRequest("jvmdebug/probes")) as { probes: Probe[] };
    const items = probes.map(conditionItem);
    const chosen = await vscode.window.showQuickPick(items.length === 0 ? [{ label: "No breakpoint has a condition." }] : items, {
      title: "How Conditions of Breakpoints Are Checked",
      placeHolder: "Choose one to read all of its reason",
      matchOnDetail: true,
    });
    if (chosen?.detail !== undefined) {
      // A list shows one line of it; a message all.
      void vscode.window.showInformationMessage(`${chosen.label}: ${chosen.detail}`);
    }
  } catch (error) {
    showError(error);
  }
}
