// SPDX-License-Identifier: Apache-2.0
// Finds the `jvmdebug` command without running anything: the user's setting, virtual environments, the PATH. A start
// of Python costs as much as the start of the adapter itself.

import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join, sep } from "node:path";

import * as vscode from "vscode";

/** A command with the arguments that come before those of jvmdebug itself. */
export interface AdapterCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** Where a command was looked for, and what was found. */
export interface Located {
  readonly found: AdapterCommand | undefined;
  readonly tried: readonly string[];
}

const NAME = "jvmdebug";
const ENVIRONMENTS = [".venv", "venv", "env"];

/**
 * The command of this session. A command that the user has set is the only one: if it is wrong, an error is better than
 * another command. Without one: virtual environments of the folder, the environment that the Python extension has
 * selected, the one that VS Code was started in, the PATH, and where pip and pipx install for a user.
 */
export async function locate(
  configured: string,
  folder: string | undefined,
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
          join(homedir(), ".local", "bin", NAME),
        ];
  for (const place of places) {
    if (await isExecutable(place)) {
      return { found: { command: place, args: [] }, tried: places };
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

function onPath(name: string, environment: NodeJS.ProcessEnv): string[] {
  return (environment["PATH"] ?? "")
    .split(delimiter)
    .filter((directory) => isAbsolute(directory))
    .map((directory) => join(directory, name));
}

/** The `jvmdebug` of the environment that is selected in the Python extension, if that is running. */
function ofPythonExtension(): string[] {
  const extension = vscode.extensions.getExtension<{
    environments?: { getActiveEnvironmentPath?: () => { path?: string } };
  }>("ms-python.python");
  if (extension?.isActive !== true) {
    return []; // to start it would hold up the start of the program
  }
  const path = extension.exports.environments?.getActiveEnvironmentPath?.().path;
  // The path of the interpreter, or of the environment's folder.
  return path === undefined ? [] : [join(path, "..", NAME), join(path, "bin", NAME)];
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
