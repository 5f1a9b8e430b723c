// SPDX-License-Identifier: Apache-2.0
// Finds the `jvmdebug` command without running anything: the user's setting, virtual environments, the PATH, pipx, the
// private environment. A start of Python costs as much as the start of the adapter itself.

import { constants } from "node:fs";
import { access, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join, sep } from "node:path";

import * as vscode from "vscode";

/** Where the command was looked for, and where it was found. */
export interface Located {
  readonly found: string | undefined;
  readonly tried: readonly string[];
}

export const NAME = "jvmdebug";
const ENVIRONMENTS = [".venv", "venv", "env"];

/**
 * The command of this session. A command that the user has set is the only one: if it is wrong, an error is better than
 * another command. Without one: virtual environments of the folder, the environment that the Python extension has
 * selected, the one that VS Code was started in, the PATH, beside the python3 of the PATH, where pip, pipx and uv install
 * for a user, and the private environment of the extension.
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

/** A path, relative to the folder if it is not absolute; a bare name is looked up on the PATH. */
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

/** Where `pip install --user`, pipx and uv put it. */
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

/** Beside the interpreter that `python3` on the PATH is a link to. */
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

/** The interpreter, or the folder of the environment, that the Python extension has selected, if that is running. */
export function selectedPython(): string | undefined {
  const extension = vscode.extensions.getExtension<{
    environments?: { getActiveEnvironmentPath?: () => { path?: string } };
  }>("ms-python.python");
  // To start it would hold up the start of the program.
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
