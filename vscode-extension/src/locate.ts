// SPDX-License-Identifier: Apache-2.0
// Finds the `jvmdebug` command without running anything: the user's setting, virtual environments,
// the PATH, pipx, what this extension brings along, the private environment. Starting Python would
// cost as much as starting the adapter itself.

import { constants } from "node:fs";
import { access, realpath } from "node:fs/promises";
import { homedir } from "node:os";

import * as vscode from "vscode";

import { HERE, inEnvironment, pathsOf, programName, type System } from "./system";

/** The places where the command was looked for, and the one where it was found. */
export interface Located {
  readonly found: string | undefined;
  readonly tried: readonly string[];
}

export const NAME = "jvmdebug";
const ENVIRONMENTS = [".venv", "venv", "env"];

/**
 * Finds the command of this session. If the user has set a command, only that is tried: if it is
 * wrong, an error is better than another command. Otherwise tries, in this order: virtual
 * environments of the folder, the environment that the Python extension has selected, the one in
 * which VS Code was started, the PATH, the folder of the python3 on the PATH, where pip, pipx and
 * uv install for a user, and the last resorts: what the extension brings along, and its private
 * environment.
 */
export async function locate(
  configured: string,
  folder: string | undefined,
  lastResorts: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
  system: System = HERE,
): Promise<Located> {
  const places =
    configured !== ""
      ? configuredPlaces(configured, folder, environment, system)
      : [...(await usualPlaces(folder, environment, system)), ...lastResorts];
  for (const place of places) {
    if (await isExecutable(place)) {
      return { found: place, tried: places };
    }
  }
  return { found: undefined, tried: [...new Set(places)] };
}

async function usualPlaces(
  folder: string | undefined,
  environment: NodeJS.ProcessEnv,
  system: System,
): Promise<string[]> {
  const ofFolder = folder === undefined ? [] : ENVIRONMENTS.map((name) => pathsOf(system).join(folder, name));
  const inherited = [environment["VIRTUAL_ENV"], environment["CONDA_PREFIX"]].filter(
    (prefix) => prefix !== undefined && prefix !== "",
  );
  return [
    ...ofFolder.map((each) => inEnvironment(each, NAME, system)),
    ...ofPythonExtension(system),
    ...inherited.map((each) => inEnvironment(String(each), NAME, system)),
    ...onPath(NAME, environment, system),
    ...(await besidePython(environment, system)),
    ...ofTools(environment, system),
  ];
}

/**
 * Returns the places of a configured command: a path is relative to the folder if it is not
 * absolute; a bare name is looked up on the PATH.
 */
function configuredPlaces(
  configured: string,
  folder: string | undefined,
  environment: NodeJS.ProcessEnv,
  system: System,
): string[] {
  const paths = pathsOf(system);
  const expanded = configured
    .replace(/^~(?=[/\\])/, homedir())
    .replaceAll("${workspaceFolder}", folder ?? "${workspaceFolder}");
  const isName = !expanded.includes("/") && !(system.platform === "win32" && expanded.includes("\\"));
  if (isName) {
    return onPath(expanded, environment, system);
  }
  return [paths.isAbsolute(expanded) || folder === undefined ? expanded : paths.join(folder, expanded)];
}

/** Returns the places where `pip install --user`, pipx, uv, Homebrew and Scoop put it. */
function ofTools(environment: NodeJS.ProcessEnv, system: System): string[] {
  const paths = pathsOf(system);
  const local = paths.join(homedir(), ".local");
  const pipx = environment["PIPX_HOME"];
  const environments = [
    ...(pipx === undefined ? [] : [paths.join(pipx, "venvs", NAME)]),
    paths.join(local, "share", "pipx", "venvs", NAME),
    paths.join(local, "pipx", "venvs", NAME),
    paths.join(local, "share", "uv", "tools", NAME),
  ];
  const program = programName(NAME, system);
  const folders: Partial<Record<NodeJS.Platform, string[]>> = {
    darwin: ["/opt/homebrew/bin", "/usr/local/bin"], // an editor from the Dock has not the PATH of a shell
    win32: [paths.join(homedir(), "scoop", "shims"), paths.join(homedir(), "pipx", "venvs", NAME, "Scripts")],
  };
  return [
    paths.join(local, "bin", program),
    ...environments.map((each) => inEnvironment(each, NAME, system)),
    ...(folders[system.platform] ?? []).map((each) => paths.join(each, program)),
  ];
}

/** Returns the places beside the interpreter to which `python3` on the PATH links. */
async function besidePython(environment: NodeJS.ProcessEnv, system: System): Promise<string[]> {
  const paths = pathsOf(system);
  const isWindows = system.platform === "win32";
  for (const place of onPath(isWindows ? "python" : "python3", environment, system)) {
    const real = await realpath(place).catch(() => undefined);
    if (real !== undefined) {
      const program = programName(NAME, system);
      return [isWindows ? paths.join(paths.dirname(real), "Scripts", program) : paths.join(paths.dirname(real), program)];
    }
  }
  return [];
}

/** Returns the places of a program in the folders of the PATH; those that are relative are left out. */
export function onPath(name: string, environment: NodeJS.ProcessEnv, system: System = HERE): string[] {
  const paths = pathsOf(system);
  // Windows writes it Path; Node's own environment does not mind, a copy of it does.
  const path = environment["PATH"] ?? environment["Path"] ?? "";
  return path
    .split(paths.delimiter)
    .map((directory) => directory.replace(/^"(.*)"$/, "$1"))
    .filter((directory) => paths.isAbsolute(directory))
    .map((directory) => paths.join(directory, programName(name, system)));
}

/**
 * Returns the interpreter, or the folder of the environment, that the Python extension has
 * selected, if that extension is active.
 */
export function selectedPython(): string | undefined {
  const extension = vscode.extensions.getExtension<{
    environments?: { getActiveEnvironmentPath?: () => { path?: string } };
  }>("ms-python.python");
  // Activating it would delay the start of the program.
  return extension?.isActive === true
    ? extension.exports.environments?.getActiveEnvironmentPath?.().path
    : undefined;
}

function ofPythonExtension(system: System): string[] {
  const path = selectedPython();
  const paths = pathsOf(system);
  return path === undefined
    ? []
    : [paths.join(path, "..", programName(NAME, system)), inEnvironment(path, NAME, system)];
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
