// SPDX-License-Identifier: Apache-2.0
// What can be turned on and off while a program is debugged: how values are shown, where steps stop, which threads a stop
// suspends. Each is a setting: the next session begins with it, and running ones follow it. A context key says what is on
// in the active session, so that its menu entry has a tick.

import * as vscode from "vscode";

import { isFilled, setting, writeSetting } from "../settings";
import { activeSession, showError } from "./session";

interface Toggle {
  /** The setting, without `jvmdebug.`. */
  readonly setting: string;
  /** What the setting is when this is on, and when it is off. */
  readonly values: readonly [on: unknown, off: unknown];
  /** Whether a session begins with it, by its configuration. */
  readonly initial: (configuration: vscode.DebugConfiguration) => boolean;
  readonly request: (isOn: boolean) => [command: string, attributes: Record<string, unknown>];
  readonly texts: readonly [on: string, off: string];
}

function valueStyle(attribute: string, name: string, on: string, off: string): Toggle {
  return {
    setting: `variables.${name}`,
    values: [true, false],
    initial: (configuration) => (configuration["values"] as Record<string, unknown> | undefined)?.[attribute] === true,
    request: (isOn) => ["jvmdebug/valueStyle", { [attribute]: isOn }],
    texts: [on, off],
  };
}

const TOGGLES = {
  hex: valueStyle("hex", "hexadecimal", "integers in hex", "integers in decimal"),
  qualifiedNames: valueStyle("qualifiedNames", "qualifiedNames", "class names with their packages", "class names without packages"),
  toString: valueStyle("toString", "toString", "objects shown by their toString()", "objects shown by their fields"),
  stepFilters: {
    setting: "steps.useFilters",
    values: [true, false],
    initial: () => true,
    request: (isOn: boolean) => ["jvmdebug/stepFilters", { enabled: isOn }],
    texts: ["step filters are on", "step filters are off: steps stop everywhere"],
  },
  justMyCode: {
    setting: "steps.justMyCode",
    values: [true, false],
    initial: (configuration: vscode.DebugConfiguration) => configuration["justMyCode"] === true,
    request: (isOn: boolean) => ["jvmdebug/stepFilters", { justMyCode: isOn }],
    texts: ["steps stop in your own code only", "steps stop in libraries, too"],
  },
  suspend: {
    setting: "suspend",
    values: ["thread", "all"],
    initial: (configuration: vscode.DebugConfiguration) => configuration["suspend"] === "thread",
    request: (isOn: boolean) => ["jvmdebug/suspend", { suspend: isOn ? "thread" : "all" }],
    texts: ["breakpoints suspend only the thread that stops", "breakpoints suspend all threads"],
  },
} satisfies Record<string, Toggle>;

type Name = keyof typeof TOGGLES;
const NAMES = Object.keys(TOGGLES) as Name[];
const FILTERS = "steps.filters";

/** The running sessions, and what is on in each. */
const states = new Map<string, { session: vscode.DebugSession; isOn: Map<Name, boolean> }>();

function stateOf(session: vscode.DebugSession): Map<Name, boolean> {
  let known = states.get(session.id);
  if (known === undefined) {
    const initial = NAMES.map((name): [Name, boolean] => [name, TOGGLES[name].initial(session.configuration)]);
    known = { session, isOn: new Map(initial) };
    states.set(session.id, known);
  }
  return known.isOn;
}

/** Turns one of them on or off, in the active session and in the settings. */
export async function toggle(name: Name): Promise<void> {
  const session = activeSession();
  if (session === undefined) {
    return;
  }
  const isOn = stateOf(session).get(name) !== true;
  if (!(await apply(session, name, isOn))) {
    return;
  }
  const { setting: key, values, texts }: Toggle = TOGGLES[name];
  try {
    await writeSetting(key, values[isOn ? 0 : 1], session.workspaceFolder);
  } catch (error) {
    showError(error); // a settings.json that cannot be written, for example
  }
  vscode.window.setStatusBarMessage(`jvmdebug: ${texts[isOn ? 0 : 1]}`, 5000);
}

/** Turns one on or off in a session, unless it is so already; false if the adapter refuses it. */
async function apply(session: vscode.DebugSession, name: Name, isOn: boolean): Promise<boolean> {
  const state = stateOf(session);
  const before = state.get(name) === true;
  if (before === isOn) {
    return true;
  }
  state.set(name, isOn); // the change of the setting does not ask again
  const chosen: Toggle = TOGGLES[name];
  try {
    await session.customRequest(...chosen.request(isOn));
  } catch (error) {
    state.set(name, before);
    showError(error);
    return false;
  }
  await showTicks();
  return true;
}

/** Sets the context keys `jvmdebug.on.NAME` to what is on in the active session. */
async function showTicks(): Promise<void> {
  const active = vscode.debug.activeDebugSession;
  const state = active?.type === "jvmdebug" ? stateOf(active) : undefined;
  await Promise.all(
    NAMES.map((name) => vscode.commands.executeCommand("setContext", `jvmdebug.on.${name}`, state?.get(name) === true)),
  );
}

/** Has running sessions follow changed settings, and the ticks follow the active session. */
export function followSettings(): vscode.Disposable {
  const subscriptions = [
    vscode.workspace.onDidChangeConfiguration((change) => {
      for (const { session } of states.values()) {
        void follow(session, change);
      }
    }),
    vscode.debug.onDidStartDebugSession((session) => {
      if (session.type === "jvmdebug") {
        stateOf(session);
        void begin(session);
      }
    }),
    vscode.debug.onDidTerminateDebugSession((session) => {
      states.delete(session.id);
    }),
    vscode.debug.onDidChangeActiveDebugSession(() => showTicks()),
  ];
  return {
    dispose: () => {
      for (const each of subscriptions) {
        each.dispose();
      }
    },
  };
}

/** Turns off the filters of a new session if the setting has them off. */
async function begin(session: vscode.DebugSession): Promise<void> {
  if (setting<unknown>("steps.useFilters", true, session.workspaceFolder) === false) {
    await apply(session, "stepFilters", false);
  }
  await showTicks();
}

async function follow(session: vscode.DebugSession, change: vscode.ConfigurationChangeEvent): Promise<void> {
  const folder = session.workspaceFolder;
  for (const name of NAMES) {
    const { setting: key, values }: Toggle = TOGGLES[name];
    if (change.affectsConfiguration(`jvmdebug.${key}`, folder)) {
      await apply(session, name, setting<unknown>(key, values[1], folder) === values[0]);
    }
  }
  if (change.affectsConfiguration(`jvmdebug.${FILTERS}`, folder)) {
    const filters = setting<unknown>(FILTERS, {}, folder);
    try {
      await session.customRequest("jvmdebug/stepFilters", { filters: isFilled(filters) ? filters : {} });
    } catch (error) {
      showError(error);
    }
  }
}
