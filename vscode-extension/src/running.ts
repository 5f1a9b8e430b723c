// SPDX-License-Identifier: Apache-2.0
// Runs a long command: reports what it prints, and ends it when the user cancels.

import { type ChildProcess, spawn } from "node:child_process";

import type * as vscode from "vscode";

/** Thrown when the user has cancelled. */
export class Cancelled extends Error {}

/** Runs a command; `note` gets what it prints. Rejects with its last line if it fails. */
export function run(
  command: string,
  args: readonly string[],
  token: vscode.CancellationToken,
  note: (text: string) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (token.isCancellationRequested) {
      reject(new Cancelled());
      return;
    }
    const child: ChildProcess = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
    const cancelling = token.onCancellationRequested(() => child.kill());
    let last = "";
    const take = (chunk: Buffer): void => {
      const text = chunk.toString();
      note(text);
      last = lastLine(text) ?? last;
    };
    child.stdout?.on("data", take);
    child.stderr?.on("data", take);
    const end = (failure: string | undefined): void => {
      cancelling.dispose();
      if (token.isCancellationRequested) {
        reject(new Cancelled());
      } else if (failure === undefined) {
        resolve();
      } else {
        reject(new Error(failure));
      }
    };
    child.on("error", (error) => {
      end(error.message);
    });
    child.on("close", (code) => {
      end(code === 0 ? undefined : last === "" ? `${command} ended with ${String(code)}` : last);
    });
  });
}

/** Returns the last line with text; undefined if there is none. */
export function lastLine(text: string): string | undefined {
  const last = text.trim().split("\n").pop();
  return last === "" ? undefined : last;
}
