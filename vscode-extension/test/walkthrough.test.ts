// SPDX-License-Identifier: Apache-2.0
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { FirstStop } from "../src/commands/walkthrough";
import * as stub from "./vscode";

const kept = new Map<string, unknown>();
const memento = {
  get: (name: string, otherwise: unknown) => kept.get(name) ?? otherwise,
  update: (name: string, value: unknown) => {
    kept.set(name, value);
    return Promise.resolve();
  },
} as unknown as vscode.Memento;

beforeEach(() => {
  vi.resetAllMocks();
  kept.clear();
});

afterEach(() => {
  Reflect.deleteProperty(stub.settings, "workbench.welcomePage.walkthroughs.openOnInstall");
});

async function sees(...events: string[]): Promise<void> {
  const tracker = new FirstStop(memento).createDebugAdapterTracker();
  for (const event of events) {
    tracker?.onDidSendMessage?.({ type: "event", event });
  }
  await new Promise((done) => setImmediate(done));
}

test("the first stop offers the walkthrough, once", async () => {
  stub.window.showInformationMessage.mockResolvedValue("Open Walkthrough");
  await sees("initialized", "output");
  expect(stub.window.showInformationMessage).not.toHaveBeenCalled();
  await sees("stopped", "stopped");
  await sees("stopped");
  expect(stub.window.showInformationMessage).toHaveBeenCalledOnce();
  expect(stub.commands.executeCommand.mock.calls).toEqual([["workbench.action.openWalkthrough", "jvmdebug.jvmdebug#start"]]);
});

test("who wants no walkthroughs is not asked", async () => {
  stub.settings["workbench.welcomePage.walkthroughs.openOnInstall"] = false;
  await sees("stopped");
  expect(stub.window.showInformationMessage).not.toHaveBeenCalled();
});

test("the steps have what they show, and commands that there are", async () => {
  const root = join(__dirname, "..");
  const { contributes, publisher, name, icon } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    contributes: {
      walkthroughs: { id: string; steps: { description: string; media: Record<string, string> }[] }[];
      commands: { command: string }[];
      configuration: { properties: Record<string, unknown> };
    };
    publisher: string;
    name: string;
    icon: string;
  };
  const [walkthrough] = contributes.walkthroughs;
  expect(`${publisher}.${name}#${walkthrough?.id ?? ""}`).toBe("jvmdebug.jvmdebug#start");
  expect(existsSync(join(root, icon))).toBe(true);
  const known = new Set(contributes.commands.map(({ command }) => command));
  for (const { description, media } of walkthrough?.steps ?? []) {
    const { image, markdown } = media;
    expect(existsSync(join(root, image ?? markdown ?? ""))).toBe(true);
    for (const [, command] of description.matchAll(/\(command:(jvmdebug\.\w+)\)/g)) {
      expect(known).toContain(command);
    }
  }
});
