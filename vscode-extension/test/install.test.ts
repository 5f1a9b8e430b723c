// SPDX-License-Identifier: Apache-2.0
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { PrivateEnvironment } from "../src/install";
import * as stub from "./vscode";

let directory = "";
const log = { append: vi.fn(), show: vi.fn() } as unknown as vscode.OutputChannel;
const messages: (string | undefined)[] = [];
let cancelled: (() => void)[] = [];

/** A python3 that makes an environment of scripts; its pip does what is given. */
function python(pip: string): NodeJS.ProcessEnv {
  const bin = join(directory, "bin");
  mkdirSync(bin);
  writeFileSync(
    join(bin, "python3"),
    `#!/bin/sh
case "$1 $2" in
"-c import"*) exit 0 ;;
"-m venv") mkdir -p "$3/bin"; cp "$0" "$3/bin/python" ;;
"-m pip") echo "$@" >"${directory}/pip"; own=$(dirname "$0"); ${pip} ;;
esac
`,
  );
  chmodSync(join(bin, "python3"), 0o755);
  return { PATH: bin };
}

const WORKS = 'printf "#!/bin/sh\\necho jvmdebug 1.0\\n" >"$own/jvmdebug"; chmod +x "$own/jvmdebug"';

beforeEach(() => {
  vi.resetAllMocks();
  directory = mkdtempSync(join(tmpdir(), "jvmdebug-"));
  messages.length = 0;
  cancelled = [];
  stub.workspace.getConfiguration.mockReturnValue({ get: (_name: string, standard: string) => standard });
  stub.window.withProgress.mockImplementation((_options: unknown, task: (...given: unknown[]) => unknown) => {
    const token = {
      isCancellationRequested: false,
      onCancellationRequested: (listener: () => void) => {
        cancelled.push(() => {
          token.isCancellationRequested = true;
          listener();
        });
        return { dispose: () => undefined };
      },
    };
    return task({ report: ({ message }: { message?: string }) => messages.push(message) }, token);
  });
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

test("one click makes an environment with the package in it, and shows what happens", async () => {
  const environment = new PrivateEnvironment(directory, log, python(WORKS));
  expect(existsSync(environment.command)).toBe(false);
  expect(await environment.install()).toBe(true);
  expect(existsSync(environment.command)).toBe(true);
  expect(readFileSync(join(directory, "pip"), "utf8")).toContain("install --disable-pip-version-check --no-input jvmdebug");
  expect(messages).toEqual([
    "looking for Python", "making an environment of its own", "downloading jvmdebug", "trying it",
  ]);
});

test("what pip says last is the reason, and nothing half made is left", async () => {
  const environment = new PrivateEnvironment(directory, log, python("echo no matching distribution >&2; exit 1"));
  expect(await environment.install()).toBe(false);
  expect(stub.window.showErrorMessage).toHaveBeenCalledWith(
    "The Java debugger could not be installed: no matching distribution", "Show Log",
  );
  expect(existsSync(join(directory, "environment"))).toBe(false);
});

test("without a Python that is new enough the message says what is needed", async () => {
  expect(await new PrivateEnvironment(directory, log, { PATH: "/nowhere" }).install()).toBe(false);
  expect(stub.window.showErrorMessage).toHaveBeenCalledWith(expect.stringContaining("Python 3.11"), "Show Log");
});

test("cancelling ends pip, and says nothing", async () => {
  const environment = new PrivateEnvironment(directory, log, python("exec sleep 50"));
  const installing = environment.install();
  await vi.waitFor(() => {
    expect(existsSync(join(directory, "pip"))).toBe(true);
  });
  cancelled.at(-1)?.();
  expect(await installing).toBe(false);
  expect(stub.window.showErrorMessage).not.toHaveBeenCalled();
  expect(existsSync(join(directory, "environment"))).toBe(false);
});
