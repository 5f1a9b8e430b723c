// SPDX-License-Identifier: Apache-2.0
// The tokens of agents that ask for one: kept in the secret storage of VS Code, for each address, and given to the adapter in a
// file that only the user can read, for as long as the session lasts. They are in no setting, configuration or log.

import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as vscode from "vscode";

type Attached = Pick<vscode.DebugSession, "id" | "configuration" | "workspaceFolder">;

/** Returns the address of an attach configuration, `localhost:5005`; undefined if it names none, or a file with the token. */
export function addressOf({ request, hostName, port, processId, container, pod, tokenFile }: vscode.DebugConfiguration): string | undefined {
  const isNamed = [processId, container, pod, tokenFile].every((each) => each === undefined || each === null || each === "");
  if (request !== "attach" || !isNamed) {
    return undefined;
  }
  const host = typeof hostName === "string" && hostName !== "" ? hostName : "localhost";
  if (host.startsWith("tls://")) {
    return host.split("/", 3).join("/"); // one relay has one token, whichever program is meant
  }
  return ["unix:", "container:", "pod:"].some((each) => host.startsWith(each)) ? host : `${host}:${String(port)}`;
}

export class Tokens implements vscode.Disposable {
  private readonly folders = new Map<string, string>();
  private readonly ending: vscode.Disposable;

  constructor(private readonly secrets: vscode.SecretStorage) {
    this.ending = vscode.debug.onDidTerminateDebugSession(({ id }) => this.forgetFile(id));
  }

  dispose(): void {
    this.ending.dispose();
    for (const id of this.folders.keys()) {
      void this.forgetFile(id);
    }
  }

  /** What the adapter of a session needs in its environment: the name of the file with the token that is kept for the address. */
  async environment({ id, configuration }: Attached): Promise<Record<string, string>> {
    const address = addressOf(configuration);
    const token = address === undefined ? undefined : await this.secrets.get(keyOf(address));
    if (token === undefined) {
      return {};
    }
    const folder = await mkdtemp(join(tmpdir(), "jvmdebug-token-")); // only the user may enter it
    this.folders.set(id, folder);
    const file = join(folder, "token");
    await writeFile(file, token, { mode: 0o600 });
    await chmod(file, 0o600);
    return { JVMDEBUG_TOKEN_FILE: file };
  }

  /**
   * Asks for the token of an agent that has refused a session, keeps it, and attaches again. False if it was refused for
   * a token that the configuration names, which the user has to change there.
   */
  async attachAgain({ configuration, workspaceFolder }: Attached): Promise<boolean> {
    const address = addressOf(configuration);
    if (address === undefined) {
      return false;
    }
    const key = keyOf(address);
    const whose = address.startsWith("tls://") ? "relay" : "agent";
    const wasKept = (await this.secrets.get(key)) !== undefined;
    await this.secrets.delete(key);
    const token = await vscode.window.showInputBox({
      title: `Token of the ${whose} at ${address}`,
      prompt: wasKept ? `The token that was kept is not the ${whose}'s.` : `The ${whose} asks for its token. It is kept in the secret storage.`,
      password: true,
      ignoreFocusOut: true,
    });
    if (token !== undefined && token !== "") {
      await this.secrets.store(key, token);
      await vscode.debug.startDebugging(workspaceFolder, configuration);
    }
    return true;
  }

  private async forgetFile(id: string): Promise<void> {
    const folder = this.folders.get(id);
    this.folders.delete(id);
    if (folder !== undefined) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

function keyOf(address: string): string {
  return `token of ${address}`;
}
