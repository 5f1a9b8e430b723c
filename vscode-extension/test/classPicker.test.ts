// SPDX-License-Identifier: Apache-2.0
import type * as vscode from "vscode";
import { beforeEach, expect, test, vi } from "vitest";

import { nameItems, pickClass, pickFromHistogram } from "../src/views/classPicker";
import * as stub from "./vscode";

const customRequest = vi.fn();
const session = { type: "jvmdebug", customRequest } as unknown as vscode.DebugSession;

beforeEach(() => {
  vi.resetAllMocks();
});

test("names are shown by their simple ones, and what is left out is said", () => {
  const shown = nameItems(["shop.Cart$Item", "shop.Item"], 7).map(({ label, description }) => [label, description]);
  expect(shown).toEqual([
    ["Cart$Item", "shop"],
    ["Item", "shop"],
    ["… 5 more: type more of the name", undefined],
  ]);
  expect(nameItems([], 0).map(({ label }) => label)).toEqual(["No loaded class has this name"]);
});

test("what is typed is looked for, and nothing is picked of a picker that is dismissed", async () => {
  const picker = stub.quickPick();
  customRequest.mockResolvedValue({ classNames: ["shop.Item"], total: 1 });
  const asked = pickClass(session);
  await vi.waitUntil(() => picker.items.length === 1);
  const [typed] = picker.onDidChangeValue.mock.calls[0] as [(text: string) => void];
  typed("it");
  typed("item");
  await vi.waitUntil(() => customRequest.mock.calls.length === 2);
  expect(customRequest).toHaveBeenLastCalledWith("jvmdebug/loadedClasses", { text: "item", count: 100 });
  picker.hide();
  expect(await asked).toBeUndefined();
  expect(picker.dispose).toHaveBeenCalled();
});

test("the histogram says whether garbage is in it", async () => {
  const picker = stub.quickPick();
  customRequest.mockResolvedValue({ classes: [{ className: "shop.Item", instances: 3, bytes: 48 }] });
  const asked = pickFromHistogram(session);
  await vi.waitUntil(() => picker.items.length === 1);
  expect(picker.title).toBe("Heap Histogram, with Garbage");
  const [press] = picker.onDidTriggerButton.mock.calls[0] as [() => void];
  press();
  await vi.waitUntil(() => picker.title === "Heap Histogram, Garbage Collected");
  expect(customRequest).toHaveBeenLastCalledWith("jvmdebug/histogram", { count: 1000, collect: true });
  picker.accept({ label: "shop.Item" });
  expect(await asked).toBe("shop.Item");
});
