// SPDX-License-Identifier: Apache-2.0
// Toggles of the active session: how the Variables view formats values, and where steps stop.

import * as vscode from "vscode";

import { activeSession, showError } from "./session";

interface Toggle {
  /** Reads the initial value from the session's configuration. */
  readonly initial: (configuration: vscode.DebugConfiguration) => boolean;
  readonly request: (isOn: boolean) => [command: string, attributes: Record<string, unknown>];
  readonly texts: readonly [on: string, off: string];
}

function valueStyle(attribute: string, on: string, off: string): Toggle {
  return {
    initial: (configuration) => (configuration["values"] as Record<string, unknown> | undefined)?.[attribute] === true,
    request: (isOn) => ["jvmdebug/valueStyle", { [attribute]: isOn }],
    texts: [on, off],
  };
}

const TOGGLES = {
  hex: valueStyle("hex", "integers in hex", "integers in decimal"),
  qualifiedNames: valueStyle("qualifiedNames", "class names with their packages", "class names without packages"),
  toString: valueStyle("toString", "objects shown by their toString()", "objects shown by their fields"),
  stepFilters: {
    initial: () => true,
    request: (isOn: boolean) => ["jvmdebug/stepFilters", { enabled: isOn }],
    texts: ["step filters are on", "step filters are off: steps stop everywhere"],
  },
  justMyCode: {
    initial: (configuration: vscode.DebugConfiguration) => configuration["justMyCode"] === true,
    request: (isOn: boolean) => ["jvmdebug/stepFilters", { justMyCode: isOn }],
    texts: ["steps stop in your own code only", "steps stop in libraries, too"],
  },
} satisfies Record<string, Toggle>;

const states = new Map<string, boolean>();

/** Turns one of them on or off. */
export async function toggle(name: keyof typeof TOGGLES): Promise<void> {
  const session = activeSession();
  if (session === undefined) {
    return;
  }
  const chosen: Toggle = TOGGLES[name];
  const key = `${session.id} ${name}`;
  const isOn = !(states.get(key) ?? chosen.initial(session.configuration));
  try {
    await session.customRequest(...chosen.request(isOn));
  } catch (error) {
    showError(error);
    return;
  }
  states.set(key, isOn);
  vscode.window.setStatusBarMessage(`jvmdebug: ${chosen.texts[isOn ? 0 : 1]}`, 5000);
}
