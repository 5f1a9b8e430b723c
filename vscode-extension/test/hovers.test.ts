// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { Hovers } from "../src/hovers";
import { InlineValues } from "../src/inlineValues";
import { core } from "../src/sources/core";
import * as stub from "./vscode";

const TEXT = `class Cart {
    void add(int cents) {
        int total = cents + 1;
    }
}`;
const document = { getText: (range?: stub.Range) => (range === undefined ? TEXT : textOf(range)) } as unknown as vscode.TextDocument;

let asked: unknown;
let customRequest: ReturnType<typeof vi.fn>;

function textOf({ start, end }: stub.Range): string {
  return TEXT.split("\n")[start.line]?.slice(start.character, end.character) ?? "";
}

function hover(): unknown {
  return new Hovers().provideEvaluatableExpression(document, { line: 2, character: 22 } as vscode.Position);
}

function inline(): Promise<unknown[]> {
  const all = new stub.Range(0, 0, 4, 0) as unknown as vscode.Range;
  const context = { frameId: 7, stoppedLocation: new stub.Range(2, 0, 2, 0) } as unknown as vscode.InlineValueContext;
  return new InlineValues().provideInlineValues(document, all, context);
}

beforeEach(() => {
  customRequest = vi.fn().mockResolvedValue({ values: ["5", null] });
  stub.debug.activeDebugSession = { type: "jvmdebug", customRequest };
  const names = [{ name: "cents", line: 2, column: 17 }, { name: "total", line: 3, column: 12 }];
  asked = vi.spyOn(core, "at").mockResolvedValue(names);
});

test("names have values where our adapter says that they are in scope, whatever other extensions there are", async () => {
  expect(hover()).toMatchObject({ expression: "cents" });
  const found = (await inline()) as { text: string; range: vscode.Range }[];
  expect(found.map(({ text, range }) => `${text}: ${String(range.start.line)}`)).toEqual(["cents = 5: 1"]);
  expect(asked).toHaveBeenCalledWith("names", document, 2);
  const names = [{ name: "cents", line: 2 }, { name: "total", line: 3 }];
  expect(customRequest).toHaveBeenCalledWith("jvmdebug/inlineValues", { frameId: 7, names });
});

test("a program that runs again has no values", async () => {
  customRequest.mockRejectedValue(new Error("the program is running"));
  expect(await inline()).toEqual([]);
});

test.each([{ type: "java" }, undefined])("in a session of another debugger we show nothing: %j", async (session) => {
  stub.debug.activeDebugSession = session;
  expect(hover()).toBeUndefined();
  expect(await inline()).toEqual([]);
});
