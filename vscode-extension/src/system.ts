// SPDX-License-Identifier: Apache-2.0
// What differs between operating systems: names of programs, folders of environments, and on which
// systems jvmdebug runs. A system is a value, so that tests on one system can ask for another.

import { posix, win32, type PlatformPath } from "node:path";

/** An operating system and a processor, as Node names them. */
export interface System {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
}

export const HERE: System = { platform: process.platform, arch: process.arch };

const NAMES: Readonly<Record<string, string>> = { darwin: "macOS", linux: "Linux", win32: "Windows" };
const SUPPORTED: Readonly<Record<string, readonly string[]>> = {
  darwin: ["arm64", "x64"],
  linux: ["arm64", "x64"],
  win32: ["x64"],
};

/** The functions for paths of a system. */
export function pathsOf(system: System): PlatformPath {
  return system.platform === "win32" ? win32 : posix;
}

/** The file name of a program: `jvmdebug.exe` on Windows, `python3.14.exe` too. */
export function programName(name: string, system: System): string {
  return system.platform === "win32" && !/\.(exe|cmd|bat|com)$/i.test(name) ? `${name}.exe` : name;
}

/** The path of a program in a Python environment. */
export function inEnvironment(environment: string, name: string, system: System): string {
  const folder = system.platform === "win32" ? "Scripts" : "bin";
  return pathsOf(system).join(environment, folder, programName(name, system));
}

/** Why jvmdebug does not run on a system; undefined if it does. */
export function whyUnsupported(system: System): string | undefined {
  if (SUPPORTED[system.platform]?.includes(system.arch) === true) {
    return undefined;
  }
  const name = NAMES[system.platform] ?? system.platform;
  return (
    `jvmdebug does not run on ${name} (${system.arch}). ` +
    "It runs on Linux (x64, arm64); packages can be built for macOS (arm64, x64) and Windows (x64)."
  );
}
