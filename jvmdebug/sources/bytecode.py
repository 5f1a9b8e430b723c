# SPDX-License-Identifier: Apache-2.0
"""A method's code (JVMS 6.5) as instructions.

Pure: bytes in, values out. What the operands mean is in the constant pool, which is optional; how
it is shown is `disassembly`'s.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmdebug.sources.constant_pool import ConstantPool

_OPCODES: Final = (  # from 0 on
    "nop aconst_null iconst_m1 iconst_0 iconst_1 iconst_2 iconst_3 iconst_4 iconst_5 lconst_0 "
    "lconst_1 fconst_0 fconst_1 fconst_2 dconst_0 dconst_1 bipush sipush ldc ldc_w ldc2_w iload "
    "lload fload dload aload iload_0 iload_1 iload_2 iload_3 lload_0 lload_1 lload_2 lload_3 "
    "fload_0 fload_1 fload_2 fload_3 dload_0 dload_1 dload_2 dload_3 aload_0 aload_1 aload_2 "
    "aload_3 iaload laload faload daload aaload baload caload saload istore lstore fstore dstore "
    "astore istore_0 istore_1 istore_2 istore_3 lstore_0 lstore_1 lstore_2 lstore_3 fstore_0 "
    "fstore_1 fstore_2 fstore_3 dstore_0 dstore_1 dstore_2 dstore_3 astore_0 astore_1 astore_2 "
    "astore_3 iastore lastore fastore dastore aastore bastore castore sastore pop pop2 dup dup_x1 "
    "dup_x2 dup2 dup2_x1 dup2_x2 swap iadd ladd fadd dadd isub lsub fsub dsub imul lmul fmul dmul "
    "idiv ldiv fdiv ddiv irem lrem frem drem ineg lneg fneg dneg ishl lshl ishr lshr iushr lushr "
    "iand land ior lor ixor lxor iinc i2l i2f i2d l2i l2f l2d f2i f2l f2d d2i d2l d2f i2b i2c i2s "
    "lcmp fcmpl fcmpg dcmpl dcmpg ifeq ifne iflt ifge ifgt ifle if_icmpeq if_icmpne if_icmplt "
    "if_icmpge if_icmpgt if_icmple if_acmpeq if_acmpne goto jsr ret tableswitch lookupswitch "
    "ireturn lreturn freturn dreturn areturn return getstatic putstatic getfield putfield "
    "invokevirtual invokespecial invokestatic invokeinterface invokedynamic new newarray anewarray "
    "arraylength athrow checkcast instanceof monitorenter monitorexit wide multianewarray ifnull "
    "ifnonnull goto_w jsr_w"
)
_NAMES: Final = _OPCODES.split()
_CODES: Final = {name: code for code, name in enumerate(_NAMES)}
_LOCALS: Final = frozenset(
    _CODES[kind + what] for kind in "ilfda" for what in ("load", "store")
) | {_CODES["ret"]}
_BRANCHES: Final = frozenset(
    code for name, code in _CODES.items() if name.startswith(("if", "goto", "jsr"))
)
_CONSTANTS: Final = frozenset(
    _CODES[name]
    for name in (
        *(
            "ldc",
            "ldc_w",
            "ldc2_w",
            "getstatic",
            "putstatic",
            "getfield",
            "putfield",
            "invokevirtual",
        ),
        *("invokespecial", "invokestatic", "invokeinterface", "invokedynamic", "new", "anewarray"),
        *("checkcast", "instanceof", "multianewarray"),
    )
)
_SIZES: Final = {
    _CODES["invokeinterface"]: 5,
    _CODES["invokedynamic"]: 5,
    _CODES["multianewarray"]: 4,
}
_LEAVES_THE_ORDER: Final = frozenset({"goto", "goto_w", "athrow", "ret", "(not an instruction)"})
_ARRAYS: Final = {
    4: "boolean", 5: "char", 6: "float", 7: "double", 8: "byte", 9: "short", 10: "int", 11: "long",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Instruction:
    """`index` and `size` in bytes; `operands` as text, targets of branches as indexes; `local` is
    the slot that the instruction reads or writes, `constant` the number of its constant, `targets`
    where it may jump to.
    """

    index: int
    size: int
    mnemonic: str
    operands: str = ""
    local: int | None = None
    constant: int | None = None
    targets: tuple[int, ...] = ()

    @property
    def goes_on(self) -> bool:
        """Whether the next instruction may come after it."""
        return not (
            self.mnemonic.endswith(("return", "switch")) or self.mnemonic in _LEAVES_THE_ORDER
        )

    def __str__(self) -> str:
        return f"{self.mnemonic} {self.operands}".rstrip()


def instructions(code: bytes, constants: ConstantPool | None = None) -> Iterator[Instruction]:
    """The instructions of a method in their order; the bytes that are none at the end as one."""
    index = 0
    while index < len(code):
        try:
            instruction = _instruction(code, index, constants)
        except (IndexError, KeyError):
            break
        if index + instruction.size > len(code):
            break
        yield instruction
        index += instruction.size
    if index < len(code):
        rest = code[index:]
        yield Instruction(index, len(rest), "(not an instruction)", rest.hex(" "))


def _instruction(code: bytes, index: int, constants: ConstantPool | None) -> Instruction:
    opcode = code[index]
    name = _NAMES[opcode]
    if opcode in _CONSTANTS:
        return _with_constant(code, index, name, constants)
    if opcode in _BRANCHES:
        size = 4 if name.endswith("_w") else 2
        target = index + _signed(code, index + 1, size)
        return Instruction(index, 1 + size, name, str(target), targets=(target,))
    if opcode in _LOCALS:
        return Instruction(index, 2, name, str(code[index + 1]), code[index + 1])
    match name:
        case "wide":
            return _wide(code, index)
        case "tableswitch" | "lookupswitch":
            return _switch(code, index, name)
        case _:
            return _with_number(code, index, name)


def _with_constant(
    code: bytes, index: int, name: str, constants: ConstantPool | None
) -> Instruction:
    width = 1 if name == "ldc" else 2
    number = _unsigned(code, index + 1, width)
    text = f"#{number}" if constants is None else constants.text(number)
    if name == "multianewarray":
        text += f" {code[index + 3]}"
    size = _SIZES.get(code[index], 1 + width)
    return Instruction(index, size, name, text, constant=number)


def _with_number(code: bytes, index: int, name: str) -> Instruction:
    match name:
        case "bipush":
            return Instruction(index, 2, name, str(_signed(code, index + 1, 1)))
        case "sipush":
            return Instruction(index, 3, name, str(_signed(code, index + 1, 2)))
        case "iinc":
            slot, by = code[index + 1], _signed(code, index + 2, 1)
            return Instruction(index, 3, name, f"{slot} by {by}", slot)
        case "newarray":
            return Instruction(index, 2, name, _ARRAYS[code[index + 1]])
        case _:
            kind, _, digit = name.partition("_")
            is_local = kind[1:] in ("load", "store")  # iload_1
            return Instruction(index, 1, name, local=int(digit) if is_local else None)


def _wide(code: bytes, index: int) -> Instruction:
    name, slot = _NAMES[code[index + 1]], _unsigned(code, index + 2, 2)
    if name == "iinc":
        by = _signed(code, index + 4, 2)
        return Instruction(index, 6, "wide iinc", f"{slot} by {by}", slot)
    if code[index + 1] not in _LOCALS:
        raise KeyError(name)
    return Instruction(index, 4, f"wide {name}", str(slot), slot)


def _switch(code: bytes, index: int, name: str) -> Instruction:
    at = index + 4 - index % 4
    default = index + _signed(code, at, 4)
    if name == "tableswitch":
        low, high = _signed(code, at + 4, 4), _signed(code, at + 8, 4)
        places = range(at + 12, at + 12 + 4 * (high - low + 1), 4)
        keys = list(range(low, high + 1))
        end = places.stop
    else:
        count = _signed(code, at + 4, 4)
        places = range(at + 12, at + 12 + 8 * count, 8)
        keys = [_signed(code, place - 4, 4) for place in places]
        end = at + 8 + 8 * count
    if end > len(code) or end < at + 8:
        raise IndexError(name)
    cases = [
        (key, index + _signed(code, place, 4)) for key, place in zip(keys, places, strict=True)
    ]
    shown = ", ".join([*(f"{key}: {target}" for key, target in cases), f"default: {default}"])
    targets = (*(target for _, target in cases), default)
    return Instruction(index, end - index, name, f"{{{shown}}}", targets=targets)


def _unsigned(code: bytes, at: int, size: int) -> int:
    found = code[at : at + size]
    if len(found) < size:
        raise IndexError(at)
    return int.from_bytes(found)


def _signed(code: bytes, at: int, size: int) -> int:
    found = code[at : at + size]
    if len(found) < size:
        raise IndexError(at)
    return int.from_bytes(found, signed=True)
