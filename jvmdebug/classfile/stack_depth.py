# SPDX-License-Identifier: Apache-2.0
"""Tells by how many slots an instruction changes the operand stack (JVMS 6.5). Pure; called by
`flow`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.descriptors import parse_method_descriptor, slot_count

if TYPE_CHECKING:
    from jvmdebug.classfile.bytecode import Instruction
    from jvmdebug.classfile.constant_pool import ConstantPool

_SLOTS: Final = {letter: 2 if letter in "ld" else 1 for letter in "ilfdabcs"}
_SINGLE: Final = {
    **dict.fromkeys(("aconst_null", "bipush", "sipush", "ldc", "ldc_w", "new"), 1),
    **dict.fromkeys(("dup", "dup_x1", "dup_x2", "jsr", "jsr_w"), 1),
    **dict.fromkeys(("ldc2_w", "dup2", "dup2_x1", "dup2_x2"), 2),
    **dict.fromkeys(("pop", "monitorenter", "monitorexit", "tableswitch", "lookupswitch"), -1),
    **dict.fromkeys(("fcmpl", "fcmpg", "ifnull", "ifnonnull"), -1),
    **dict.fromkeys(("lcmp", "dcmpl", "dcmpg"), -3),
    "pop2": -2,
}
_TWO_OPERANDS: Final = frozenset(("add", "sub", "mul", "div", "rem", "and", "or", "xor"))
_SHIFTS: Final = frozenset(("shl", "shr", "ushr"))


def stack_change(instruction: Instruction, constants: ConstantPool) -> int:
    """How many slots more are on the stack behind it. Constants that do not fit change nothing."""
    name = instruction.mnemonic.removeprefix("wide ").partition("_")[0]
    if name.startswith("invoke") or name in ("getfield", "putfield", "getstatic", "putstatic"):
        return _of_member(instruction, name, constants)
    if name == "multianewarray":
        return 1 - (instruction.number or 1)
    full = instruction.mnemonic
    return _SINGLE[full] if full in _SINGLE else _by_form(full.removeprefix("wide "), name)


def _of_member(instruction: Instruction, name: str, constants: ConstantPool) -> int:
    member = instruction.constant and constants.find_member(instruction.constant)
    if not member:
        return 0
    descriptor = member[2]
    if name.startswith("invoke"):
        parsed = parse_method_descriptor(descriptor)
        receiver = 0 if name in ("invokestatic", "invokedynamic") else 1
        given = sum(map(slot_count, parsed.parameters)) + receiver
        return (0 if parsed.result == "V" else slot_count(parsed.result)) - given
    value = slot_count(descriptor)
    change = value if name.startswith("get") else -value
    return change - (name == "putfield") - (name == "getfield")


def _by_form(full: str, name: str) -> int:
    """The change by instructions whose names say it: `iload_1`, `dastore`, `ladd`, `i2l`,
    `if_icmplt`.
    """
    if full.startswith("if"):
        return -2 if full.startswith("if_") else -1
    kind, what = name[0], name[1:]
    slots = _SLOTS.get(kind, 1)
    if what in ("load", "const"):
        change = slots
    elif what == "store":
        change = -slots
    elif what == "aload":
        change = slots - 2
    elif what == "astore":
        change = -slots - 2
    elif what in _TWO_OPERANDS:
        change = -slots
    elif what in _SHIFTS:
        change = -1
    elif len(name) == 3 and name[1] == "2":
        change = _SLOTS[name[2]] - slots
    else:
        change = 0
    return change
