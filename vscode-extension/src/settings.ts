// SPDX-License-Identifier: Apache-2.0
// The settings of the extension: reads them for a session, writes them where they are set, and opens the tab that has them.

import * as vscode from "vscode";

type Scope = vscode.WorkspaceFolder | undefined;

/** Returns the value of a setting of ours, as the user, the workspace or the folder has set it. */
export function setting<T>(name: string, otherwise: T, scope?: Scope): T {
  return vscode.workspace.getConfiguration("jvmdebug", scope).get<T>(name, otherwise);
}

/** Writes a setting where it is set now: in the folder, the workspace, else for the user. */
export async function writeSetting(name: string, value: unknown, scope?: Scope): Promise<void> {
  const configuration = vscode.workspace.getConfiguration("jvmdebug", scope);
  const now = configuration.inspect(name);
  const target =
    now?.workspaceFolderValue !== undefined
      ? vscode.ConfigurationTarget.WorkspaceFolder
      : now?.workspaceValue !== undefined
        ? vscode.ConfigurationTarget.Workspace
        : vscode.ConfigurationTarget.Global;
  await configuration.update(name, value, target);
}

/**
 * Shows a setting in the editor of settings. One of the machine is in the tab of the remote host
 * if the window is connected to one, and not among those of the user.
 */
export async function openSetting(name: string, isOfMachine: boolean): Promise<void> {
  const isRemote = isOfMachine && vscode.env.remoteName !== undefined;
  const command = isRemote ? "workbench.action.openRemoteSettings" : "workbench.action.openSettings";
  await vscode.commands.executeCommand(command, { query: `@id:${name}` });
}

/** Returns the attributes of a configuration that the settings give; those that it has itself come first. */
export function attributesOfSettings(
  configuration: vscode.DebugConfiguration,
  scope: Scope,
): Record<string, unknown> {
  const values = {
    hex: isOn("variables.hexadecimal", scope),
    qualifiedNames: isOn("variables.qualifiedNames", scope),
    toString: isOn("variables.toString", scope),
  };
  const chosen = Object.fromEntries(Object.entries(values).filter(([, on]) => on));
  const given = (configuration["values"] ?? {}) as Record<string, unknown>;
  const filters = setting<Record<string, unknown>>("steps.filters", {}, scope);
  return {
    ...(Object.keys(chosen).length > 0 ? { values: { ...chosen, ...given } } : {}),
    ...(isOn("steps.justMyCode", scope) && configuration["justMyCode"] === undefined ? { justMyCode: true } : {}),
    ...(isFilled(filters) && configuration["stepFilters"] === undefined ? { stepFilters: filters } : {}),
    ...(setting<string>("suspend", "all", scope) === "thread" && configuration["suspend"] === undefined ? { suspend: "thread" } : {}),
  };
}

/** Whether a setting that is false by default is true. */
function isOn(name: string, scope: Scope): boolean {
  return setting<unknown>(name, false, scope) === true;
}

export function isFilled(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}
