// SPDX-License-Identifier: Apache-2.0
// Lets the user pick a class: of the loaded ones by what is typed, or of the heap histogram.

import * as vscode from "vscode";

import { showError } from "../commands/session";

const MOST_NAMES = 100;
const MOST_CLASSES = 1000;
const QUIET_MS = 100;

export interface ClassUsage {
  readonly className: string;
  readonly instances: number;
  readonly bytes: number;
}

/** Makes the item of a class in the histogram. */
export function usageItem({ className, instances, bytes }: ClassUsage): vscode.QuickPickItem {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const size = power === 0 ? String(bytes) : (bytes / 1000 ** power).toFixed(1);
  return { label: className, description: `${instances.toLocaleString("en")} objects, ${size} ${units[power] ?? ""}` };
}

/** Makes the items of names: the name in its package, and the package beside it. */
export function nameItems(names: readonly string[], total: number): (vscode.QuickPickItem & { className?: string })[] {
  const items = names.map((className) => ({
    className,
    label: className.slice(className.lastIndexOf(".") + 1),
    description: className.slice(0, Math.max(0, className.lastIndexOf("."))),
    alwaysShow: true, // they are chosen and sorted already
  }));
  if (items.length === 0) {
    return [{ label: "No loaded class has this name", alwaysShow: true }];
  }
  const more = total - items.length;
  return more > 0 ? [...items, { label: `… ${String(more)} more: type more of the name`, alwaysShow: true }] : items;
}

/** Asks for one of the loaded classes, by its full or its simple name. */
export async function pickClass(session: vscode.DebugSession): Promise<string | undefined> {
  const picker = vscode.window.createQuickPick<vscode.QuickPickItem & { className?: string }>();
  picker.title = "Objects of a Class";
  picker.placeholder = "The name of a loaded class: Cart, shop.Cart, Cart$Item, byte[]";
  let asked = 0;
  let timer: NodeJS.Timeout | undefined;
  const list = async (text: string): Promise<void> => {
    const own = ++asked;
    picker.busy = true;
    try {
      const body = (await session.customRequest("jvmdebug/loadedClasses", { text, count: MOST_NAMES })) as {
        classNames: string[];
        total: number;
      };
      if (own === asked) {
        picker.items = nameItems(body.classNames, body.total);
        picker.busy = false;
      }
    } catch (error) {
      picker.hide();
      showError(error);
    }
  };
  picker.onDidChangeValue((text) => {
    clearTimeout(timer);
    picker.busy = true;
    timer = setTimeout(() => void list(text), QUIET_MS);
  });
  const chosen = await accepted(picker, () => picker.selectedItems[0]?.className, () => list(""));
  clearTimeout(timer);
  return chosen;
}

/** Asks for a class of the heap histogram, which can be counted again without garbage. */
export async function pickFromHistogram(session: vscode.DebugSession): Promise<string | undefined> {
  const picker = vscode.window.createQuickPick();
  const collect = { iconPath: new vscode.ThemeIcon("trash"), tooltip: "Collect Garbage and Count Again" };
  picker.placeholder = "Classes with the most bytes first; a picked one is shown in the view Objects";
  picker.buttons = [collect];
  const list = async (isCollected: boolean): Promise<void> => {
    picker.busy = true;
    try {
      const asked = { count: MOST_CLASSES, collect: isCollected };
      const found = (await session.customRequest("jvmdebug/histogram", asked)) as { classes: ClassUsage[] };
      picker.title = isCollected ? "Heap Histogram, Garbage Collected" : "Heap Histogram, with Garbage";
      picker.items = found.classes.map(usageItem);
      picker.busy = false;
    } catch (error) {
      picker.hide();
      showError(error);
    }
  };
  picker.title = "Heap Histogram";
  picker.onDidTriggerButton(() => void list(true));
  return accepted(picker, () => picker.selectedItems[0]?.label, () => list(false));
}

/** Shows a picker until something is picked that has a value, or the picker is dismissed. */
async function accepted<T extends vscode.QuickPickItem>(
  picker: vscode.QuickPick<T>,
  value: () => string | undefined,
  begin: () => Promise<void>,
): Promise<string | undefined> {
  const ended = new Promise<string | undefined>((resolve) => {
    picker.onDidAccept(() => {
      const chosen = value();
      if (chosen !== undefined) {
        resolve(chosen);
        picker.hide();
      }
    });
    picker.onDidHide(() => {
      resolve(undefined);
    });
  });
  try {
    picker.show();
    await begin();
    return await ended;
  } finally {
    picker.dispose();
  }
}
