// SPDX-License-Identifier: Apache-2.0
// The private environment of the extension: a Python virtual environment in VS Code's storage that
// contains `jvmdebug`, made with one click when the command is not found anywhere else.

import { rm } from "node:fs/promises";
import { join } from "node:path";

import * as vscode from "vscode";

import { NAME, onPath, selectedPython } from "./locate";
import { Cancelled, run } from "./running";
import { HERE, inEnvironment } from "./system";

const OLDEST = "3.11";
const PYTHONS = ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python"];
const CHECK = `import sys, venv, ensurepip; sys.exit(sys.version_info < (${OLDEST.replace(".", ", ")}))`;
const SHOW_LOG = "Show Log";

export class PrivateEnvironment {
  private readonly directory: string;
  private running: Promise<boolean> | undefined;

  constructor(
    storage: string,
    private readonly log: vscode.OutputChannel,
    private readonly environment: NodeJS.ProcessEnv = process.env,
  ) {
    this.directory = join(storage, "environment");
  }

  /** The path of the command, whether it is installed or not. */
  get command(): string {
    return inEnvironment(this.directory, NAME, HERE);
  }

  /**
   * Makes the environment and shows the progress. Returns whether it exists now; tells the user
   * what failed.
   */
  install(): Promise<boolean> {
    this.running ??= this.installed().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async installed(): Promise<boolean> {
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: "Installing the Java debugger",
      cancellable: true,
    };
    try {
      await vscode.window.withProgress(options, (progress, token) => this.steps(progress, token));
      return true;
    } catch (error) {
      await rm(this.directory, { recursive: true, force: true });
      if (!(error instanceof Cancelled)) {
        const why = error instanceof Error ? error.message : String(error);
        void this.tell(`The Java debugger could not be installed: ${why}`);
      }
      return false;
    }
  }

  private async tell(text: string): Promise<void> {
    if ((await vscode.window.showErrorMessage(text, SHOW_LOG)) === SHOW_LOG) {
      this.log.show();
    }
  }

  private async steps(
    progress: vscode.Progress<{ message?: string }>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    progress.report({ message: "looking for Python" });
    const python = await this.python(token);
    progress.report({ message: "making an environment of its own" });
    await rm(this.directory, { recursive: true, force: true });
    await this.run(python, ["-m", "venv", this.directory], token);
    const wanted = vscode.workspace.getConfiguration("jvmdebug").get<string>("package", NAME);
    progress.report({ message: `downloading ${wanted}` });
    const pip = ["-m", "pip", "install", "--disable-pip-version-check", "--no-input", wanted];
    await this.run(inEnvironment(this.directory, "python", HERE), pip, token);
    progress.report({ message: "trying it" });
    await this.run(this.command, ["--version"], token);
  }

  /** Finds a Python that is new enough and can make environments. */
  private async python(token: vscode.CancellationToken): Promise<string> {
    const selected = selectedPython();
    const candidates = [
      ...(selected === undefined ? [] : [selected]),
      ...PYTHONS.flatMap((name) => onPath(name, this.environment)),
    ];
    for (const each of candidates) {
      const works = await this.run(each, ["-c", CHECK], token).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Cancelled) {
            throw error;
          }
          return false;
        },
      );
      if (works) {
        return each;
      }
    }
    throw new Error(
      `it needs Python ${OLDEST} or newer with the module venv (Debian: python3-venv), and none is on the PATH.`,
    );
  }

  /** Runs a command and logs its output. Rejects with its last line if it fails. */
  private run(command: string, args: readonly string[], token: vscode.CancellationToken): Promise<void> {
    return run(command, args, token, (text) => {
      this.log.append(text);
    });
  }
}
