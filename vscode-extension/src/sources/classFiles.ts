// SPDX-License-Identifier: Apache-2.0
// The main classes of class files: of a project whose sources are not here, and of what its build generates.

const OTHER_SIZES: Readonly<Record<number, number>> = {
  3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2,
};
const [UTF8, CLASS] = [1, 7];
const TWO_ENTRIES = [5, 6];
const [PRIVATE, PUBLIC_STATIC] = [0x2, 0x9];
const CLASSIC = "([Ljava/lang/String;)V";
/** The class file version from which `void main()` is enough (Java 25). */
const INSTANCE_MAINS = 69;

/** The binary name of the class, `shop.Main$Demo`, if java can start it; undefined too for what is no class file. */
export function mainClassIn(content: Uint8Array): string | undefined {
  try {
    return read(new DataView(content.buffer, content.byteOffset, content.byteLength));
  } catch (error) {
    if (error instanceof RangeError) {
      return undefined; // it is cut off
    }
    throw error;
  }
}

function read(view: DataView): string | undefined {
  if (view.getUint32(0) !== 0xcafebabe) {
    return undefined;
  }
  const version = view.getUint16(6);
  const texts = new Map<number, string>();
  const classes = new Map<number, number>();
  const count = view.getUint16(8);
  let at = 10;
  for (let index = 1; index < count; index += 1) {
    const tag = view.getUint8(at);
    const size = tag === UTF8 ? 2 + view.getUint16(at + 1) : OTHER_SIZES[tag];
    if (size === undefined) {
      return undefined;
    }
    if (tag === UTF8) {
      texts.set(index, new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + at + 3, size - 2)));
    } else if (tag === CLASS) {
      classes.set(index, view.getUint16(at + 1));
    }
    index += TWO_ENTRIES.includes(tag) ? 1 : 0;
    at += 1 + size;
  }
  const name = texts.get(classes.get(view.getUint16(at + 2)) ?? 0)?.replaceAll("/", ".");
  at += 8 + 2 * view.getUint16(at + 6);
  let hasMain = false;
  for (const kind of ["fields", "methods"]) {
    const members = view.getUint16(at);
    at += 2;
    for (let each = 0; each < members; each += 1) {
      const access = view.getUint16(at);
      const [named, descriptor] = [texts.get(view.getUint16(at + 2)), texts.get(view.getUint16(at + 4))];
      hasMain ||= kind === "methods" && named === "main" && isStarted(access, descriptor, version);
      const attributes = view.getUint16(at + 6);
      at += 8;
      for (let one = 0; one < attributes; one += 1) {
        at += 6 + view.getUint32(at + 2);
      }
    }
  }
  return hasMain ? name : undefined;
}

function isStarted(access: number, descriptor: string | undefined, version: number): boolean {
  if (descriptor === CLASSIC && (access & PUBLIC_STATIC) === PUBLIC_STATIC) {
    return true;
  }
  return version >= INSTANCE_MAINS && (descriptor === CLASSIC || descriptor === "()V") && (access & PRIVATE) === 0;
}
