// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { mainClassIn } from "../src/sources/classFiles";

interface Method {
  readonly access: number;
  readonly name: string;
  readonly descriptor: string;
}

const CLASSIC = { access: 0x9, name: "main", descriptor: "([Ljava/lang/String;)V" };

/** A class file with one field and a method, each with an attribute, as javac writes them. */
function classFile({ access, name, descriptor }: Method, version = 61): Uint8Array {
  const u2 = (number: number) => [number >> 8, number & 0xff];
  const utf8 = (text: string) => [1, ...u2(text.length), ...new TextEncoder().encode(text)];
  const constants = [utf8("shop/Main$Demo"), [7, ...u2(1)], [5, 0, 0, 0, 0, 0, 0, 0, 1], utf8(name), utf8(descriptor), utf8("Code")];
  const member = (flags: number) => [...u2(flags), ...u2(5), ...u2(6), ...u2(1), ...u2(7), 0, 0, 0, 2, 9, 9];
  return Uint8Array.from([
    ...[0xca, 0xfe, 0xba, 0xbe, 0, 0, ...u2(version), ...u2(constants.length + 2), ...constants.flat()],
    ...[...u2(0x21), ...u2(2), ...u2(2), ...u2(1), ...u2(2)],
    ...[...u2(1), ...member(0x9), ...u2(1), ...member(access), ...u2(0)],
  ]);
}

test("a class with a main method is named", () => {
  expect(mainClassIn(classFile(CLASSIC))).toBe("shop.Main$Demo");
});

test.each([
  { ...CLASSIC, access: 0x1 },
  { ...CLASSIC, name: "start" },
  { ...CLASSIC, descriptor: "()V" },
])("other methods are not started: %o", (method) => {
  expect(mainClassIn(classFile(method))).toBeUndefined();
});

test("from Java 25 on an instance method is enough, unless it is private", () => {
  const method = { access: 0, name: "main", descriptor: "()V" };
  expect(mainClassIn(classFile(method, 69))).toBe("shop.Main$Demo");
  expect(mainClassIn(classFile({ ...method, access: 0x2 }, 69))).toBeUndefined();
  expect(mainClassIn(classFile(method, 65))).toBeUndefined();
});

test("what is no class file, or only a part of one, is passed over", () => {
  const whole = classFile(CLASSIC);
  for (let length = 0; length < whole.length - 4; length += 1) {
    expect(mainClassIn(whole.subarray(0, length))).toBeUndefined();
  }
  expect(mainClassIn(new TextEncoder().encode("class Main { }"))).toBeUndefined();
  expect(mainClassIn(Uint8Array.of(...whole.subarray(0, 10), 99, ...whole.subarray(11)))).toBeUndefined();
});
