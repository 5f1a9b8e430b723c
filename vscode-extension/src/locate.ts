// SPDX-License-Identifier: Apache-2.0
// Finds the `jvmdebug` command without running anything: the user's setting, virtual environments,
// the PATH, pipx, the private environment. Starting Python would cost as much as starting the
// adapter itself.

import { constants } from "node:fs";
import { access, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join, sep } from "node:path";

import * as vscode from "vscode";

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
 * uv install for a user, and the private environment of the extension.
 */
export async function locate(
  configured: string,
  folder: string | undefined,
  ownCommand: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Located> {
  const places =
    configured !== ""
      ? configuredPlaces(configured, folder, environment)
      : [
          ...ENVIRONMENTS.flatMap((name) => (folder === undefined ? [] : [join(folder, name, "bin", NAME)])),
          ...ofPythonExtension(),
          ...[environment["VIRTUAL_ENV"], environment["CONDA_PREFIX"]].flatMap((prefix) =>
            prefix === undefined || prefix === "" ? [] : [join(prefix, "bin", NAME)],
          ),
          ...onPath(NAME, environment),
          ...(await besidePython(environment)),
          ...ofTools(environment),
          ...(ownCommand === undefined ? [] : [ownCommand]),
        ];
  for (const place of places) {
    if (await isExecutable(place)) {
      return { found: place, tried: places };
    }
  }
  return { found: undefined, tried: [...new Set(places)] };
}

/**
 * Returns the places of a configured command: a path is relative to the folder if it is not
 * absolute; a bare name is looked up on the PATH.
 */
function configuredPlaces(
  configured: string,
  folder: string | undefined,
  environment: NodeJS.ProcessEnv,
): string[] {
  const expanded = configured
    .replace(/^~(?=\/)/, homedir())
    .replaceAll("${workspaceFolder}", folder ?? "${workspaceFolder}");
  if (!expanded.includes(sep)) {
    return onPath(expanded, environment);
  }
  return [isAbsolute(expanded) || folder === undefined ? expanded : join(folder, expanded)];
}

/** Returns the places where `pip install --user`, pipx and uv put it. */
function ofTools(environment: NodeJS.ProcessEnv): string[] {
  const local = join(homedir(), ".local");
  const pipx = environment["PIPX_HOME"];
  return [
    join(local, "bin", NAME),
    ...(pipx === undefined ? [] : [join(pipx, "venvs", NAME, "bin", NAME)]),
    join(local, "share", "pipx", "venvs", NAME, "bin", NAME),
    join(local, "pipx", "venvs", NAME, "bin", NAME),
    join(local, "share", "uv", "tools", NAME, "bin", NAME),
  ];
}

/** Returns the places beside the interpreter to which `python3` on the PATH links. */
async function besidePython(environment: NodeJS.ProcessEnv): Promise<string[]> {
  for (const place of onPath("python3", environment)) {
    const real = await realpath(place).catch(() => undefined);
    if (real !== undefined) {
      return [join(dirname(real), NAME)];
    }
  }
  return [];
}

export function onPath(name: string, environment: NodeJS.ProcessEnv): string[] {
  return (environment["PATH"] ?? "")
    .split(delimiter)
    .filter((directory) => isAbsolute(directory))
    .map((directory) => join(directory, name));
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

function ofPythonExtension(): string[] {
  const path = selectedPython();
  return path === undefined ? [] : [join(path, "..", NAME), join(path, "bin", NAME)];
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
