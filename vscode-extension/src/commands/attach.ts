// SPDX-License-Identifier: Apache-2.0
// Attaches to a JVM of this machine that is picked from a list, or to a typed host and port.

import { execFile } from "node:child_process";
import { promisify } from "node:util";

import * as vscode from "vscode";

import { adapterCommand, isInstalled } from "../adapter";
import { showError } from "./session";

const run = promisify(execFile);
const TIMEOUT_MS = 20_000;

/** The parts of a line of `jvmdebug ps --json` that are shown. */
interface LocalJvm {
  readonly pid: number;
  readonly program?: string | null;
  readonly jdk?: string | null;
  readonly user?: string | null;
  readonly container?: string | null;
  readonly agent?: { readonly kind?: string; readonly address?: string | null; readonly is_listening?: boolean; readonly is_late?: boolean } | null;
}

interface Item extends vscode.QuickPickItem {
  readonly pid: number;
}

/**
 * Makes the list item of a JVM: what it runs, its JDK and process, and whether it can be attached
 * to.
 */
export function processItem({ pid, program, jdk, user, container, agent }: LocalJvm): Item {
  const isBare = agent === undefined || agent === null || (agent.is_late === true && agent.is_listening !== true);
  const kind = agent?.kind === "jvmdebug" ? "jvmdebug's agent" : "debug agent";
  const listens = agent?.is_listening === true;
  const state =
    isBare
      ? "has no debug agent: one is loaded; steps are approximate then"
      : listens
        ? `${kind} listens${agent.address ? ` on ${agent.address}` : ""}`
        : `${kind} does not listen: another debugger may be attached`;
  const parts = [jdk ? `JDK ${jdk}` : "", user ?? "", container ? `container ${container}` : "", state];
  return {
    label: `$(${listens || isBare ? "debug" : "circle-slash"}) ${program ?? "(unknown program)"}`,
    description: String(pid),
    detail: parts.filter((each) => each !== "").join(" · "),
    pid,
  };
}

/** The command behind `${command:PickJavaProcess}`; returns the id of a process as a string. */
export async function pickProcess(): Promise<string | undefined> {
  if (!(await isInstalled(vscode.workspace.workspaceFolders?.[0]))) {
    return undefined;
  }
  try {
    const chosen = await vscode.window.showQuickPick(processItems(), {
      title: "Attach to Java Process",
      placeHolder: "Which program? Type part of its main class, process id, JDK or user",
      matchOnDescription: true,
      matchOnDetail: true,
    });
    return chosen === undefined ? undefined : String(chosen.pid);
  } catch (error) {
    showError(error);
    return undefined;
  }
}

async function processItems(): Promise<Item[]> {
  const command = await adapterCommand(vscode.workspace.workspaceFolders?.[0]);
  const { stdout } = await run(command, ["ps", "--json"], { timeout: TIMEOUT_MS });
  const items = (JSON.parse(stdout) as LocalJvm[]).map(processItem);
  if (items.length === 0) {
    throw new Error("No Java program of yours is running on this machine.");
  }
  // Lists JVMs that can be attached to first.
  return items.sort((one, other) => Number(other.label.includes("$(debug)")) - Number(one.label.includes("$(debug)")));
}

export async function attachToProcess(): Promise<void> {
  const processId = await pickProcess();
  if (processId !== undefined) {
    await attach({ name: `Process ${processId}`, processId });
  }
}

let lastAddress = "localhost:5005";

/** Returns why a text is not an address; undefined if it is. */
export function addressProblem(text: string): string | undefined {
  if (text.startsWith("unix:")) {
    return text.length > "unix:".length ? undefined : "unix: is followed by the path of the socket";
  }
  if (text.startsWith("tls://")) {
    const isWhole = /^tls:\/\/(?:[^:/\s]+|\[[^\]]+\]):\d+(?:\/\S*)?$/.test(text);
    return isWhole ? undefined : "tls:// is followed by HOST:PORT of the relay, and /NAME if it has several programs";
  }
  const port = Number(/^(?:[^:\s]+|\[[^\]]+\]):(\d+)$/.exec(text)?.[1] ?? text);
  return Number.isInteger(port) && port > 0 && port < 65_536
    ? undefined
    : "Type HOST:PORT, PORT, unix:PATH or tls://HOST:PORT/NAME; a port is a number from 1 to 65535";
}

/** Makes the attributes of an attach configuration. */
export function addressAttributes(text: string): Record<string, unknown> {
  if (text.startsWith("unix:") || text.startsWith("tls://")) {
    return { hostName: text };
  }
  const colon = text.lastIndexOf(":");
  const hostName = colon < 0 ? "localhost" : text.slice(0, colon).replace(/^\[(.*)\]$/, "$1");
  return { hostName, port: Number(text.slice(colon + 1)) };
}

export async function attachToPort(): Promise<void> {
  const typed = await vscode.window.showInputBox({
    title: "Attach to Host and Port",
    prompt: "Where the debug agent in the JVM listens: HOST:PORT, PORT or unix:PATH",
    value: lastAddress,
    validateInput: (text) => addressProblem(text.trim()),
  });
  if (typed === undefined) {
    return;
  }
  lastAddress = typed.trim();
  await attach({ name: lastAddress, ...addressAttributes(lastAddress) });
}

async function attach(attributes: Record<string, unknown> & { name: string }): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  await vscode.debug.startDebugging(folder, { type: "jvmdebug", request: "attach", ...attributes });
}

/** The command behind `${command:SpecifyProgramArgs}`. */
export function specifyProgramArguments(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: "Program Arguments",
    prompt: "Separated by spaces; quotes as in a shell",
    value: "",
  });
}
