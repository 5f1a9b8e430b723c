// SPDX-License-Identifier: Apache-2.0
// Commands on a stack frame for which the Debug Adapter Protocol has no request.

import * as vscode from "vscode";

import { plain } from "../plain";
import { type CallStackRow, openSessions, showError } from "./session";

interface SelectedFrame {
  readonly session: vscode.DebugSession;
  readonly threadId: number;
  readonly frameId: number;
}

/**
 * Returns the selected frame of the active jvmdebug session; if there is none, tells the user and
 * returns nothing.
 */
function selectedFrame(): SelectedFrame | undefined {
  const session = vscode.debug.activeDebugSession;
  const item = vscode.debug.activeStackItem;
  if (session?.type !== "jvmdebug" || !(item instanceof vscode.DebugStackFrame)) {
    void vscode.window.showErrorMessage("Select a stack frame of a stopped thread first.");
    return undefined;
  }
  return { session, threadId: item.threadId, frameId: item.frameId };
}

async function request(frame: SelectedFrame, command: string, attributes: Record<string, unknown>): Promise<boolean> {
  try {
    await frame.session.customRequest(command, attributes);
    return true;
  } catch (error) {
    showError(error);
    return false;
  }
}

/**
 * Shows below the stacks where tasks were submitted, from now on: in the session of the row that was
 * clicked, else in the active one.
 */
export async function showOrigins(row?: CallStackRow): Promise<void> {
  const session = openSessions.get(row?.sessionId ?? "") ?? vscode.debug.activeDebugSession;
  if (session?.type !== "jvmdebug") {
    void vscode.window.showErrorMessage("Start a jvmdebug session first.");
    return;
  }
  try {
    await session.customRequest("jvmdebug/origins", {});
  } catch (error) {
    showError(error);
  }
}

/** Drops the frame; the call is about to be made again. */
export async function popFrame(): Promise<void> {
  const frame = selectedFrame();
  if (frame !== undefined) {
    await request(frame, "jvmdebug/popFrame", { frameId: frame.frameId });
  }
}

/** Makes the method return at once, with the value of an expression. */
export async function forceEarlyReturn(): Promise<void> {
  const frame = selectedFrame();
  if (frame === undefined) {
    return;
  }
  const expression = await vscode.window.showInputBox({
    title: "Force Return",
    prompt: "Java expression for the value to return; leave it empty for a void method.",
  });
  if (expression === undefined) {
    return;
  }
  const value = expression.trim() === "" ? {} : { expression };
  await request(frame, "jvmdebug/forceEarlyReturn", { frameId: frame.frameId, ...value });
}

let lastThrown = 'new IllegalStateException("thrown by the debugger")';

/** Makes the thread of the frame throw an exception as soon as it goes on. */
export async function throwException(): Promise<void> {
  const frame = selectedFrame();
  if (frame === undefined) {
    return;
  }
  const expression = await vscode.window.showInputBox({
    title: "Throw Exception in Thread",
    prompt: "Java expression for the exception; the thread throws it when it goes on.",
    value: lastThrown,
  });
  if (expression === undefined || expression.trim() === "") {
    return;
  }
  lastThrown = expression;
  if (await request(frame, "jvmdebug/throw", { frameId: frame.frameId, expression })) {
    vscode.window.setStatusBarMessage("jvmdebug: the thread throws it as soon as it goes on", 5000);
  }
}

interface Instruction {
  readonly address: string;
  readonly instruction: string;
  readonly line?: number;
  readonly presentationHint?: string;
  /** The name of the method, at its first instruction. */
  readonly symbol?: string;
}

const MOST_INSTRUCTIONS = 400;

/** Returns the instructions of the method that contains an address. */
export function methodAround(instructions: readonly Instruction[], address: string): readonly Instruction[] {
  const at = instructions.findIndex((each) => each.address === address);
  const before = instructions.slice(0, at + 1).map((each) => each.symbol !== undefined);
  const next = instructions.findIndex((each, index) => index > at && each.symbol !== undefined);
  return instructions.slice(Math.max(0, before.lastIndexOf(true)), next < 0 ? undefined : next);
}

/**
 * Runs until the thread is at an instruction that the user picks from the bytecode of the frame's
 * method.
 */
export async function runToBytecode(): Promise<void> {
  const frame = selectedFrame();
  if (frame === undefined) {
    return;
  }
  const { session, threadId, frameId } = frame;
  try {
    const stack = (await session.customRequest("stackTrace", { threadId })) as {
      stackFrames: { id: number; name: string; instructionPointerReference?: string }[];
    };
    const shown = stack.stackFrames.find((each) => each.id === frameId) ?? stack.stackFrames[0];
    const here = shown?.instructionPointerReference;
    if (here === undefined) {
      void vscode.window.showErrorMessage("This frame has no bytecode: its method is native.");
      return;
    }
    const around = {
      memoryReference: here,
      instructionOffset: -MOST_INSTRUCTIONS / 4,
      instructionCount: MOST_INSTRUCTIONS,
      resolveSymbols: true,
    };
    const body = (await session.customRequest("disassemble", around)) as { instructions: Instruction[] };
    const items = methodAround(body.instructions, here)
      .filter((each) => each.presentationHint !== "invalid")
      .map((each) => ({
        label: `${each.address === here ? "$(debug-stackframe) " : ""}${plain(each.instruction)}`,
        description: each.line === undefined ? "" : `line ${String(each.line)}`,
        address: each.address,
      }));
    const title = `Run to Bytecode of ${shown?.name ?? "this frame"}`;
    const chosen = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
    if (chosen !== undefined) {
      await request(frame, "jvmdebug/runTo", { threadId, instructionReference: chosen.address });
    }
  } catch (error) {
    showError(error);
  }
}
