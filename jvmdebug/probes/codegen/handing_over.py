# SPDX-License-Identifier: Apache-2.0
"""The code by which a check gives its arguments to the agent, in a VM that lets the agent read no
variables: references in one array and all other values in another one, each in the order of the
arguments. The thread stays inside the call until it is resumed. Called by `check`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.constant_pool import ConstantTag
from jvmdebug.classfile.opcodes import Op

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.classfile.writer import CodeWriter

STOP: Final = "stop", "(IIJ[Ljava/lang/Object;[J)V"
"""The method of the agent's class that is called in place of `hit`."""

STACK: Final = 12
"""The operand stack that this code needs."""

_OF_LONGS: Final = 11
_RAW_BITS: Final = {
    "F": ("java/lang/Float", "floatToRawIntBits", "(F)I"),
    "D": ("java/lang/Double", "doubleToRawLongBits", "(D)J"),
}


def push_value(code: CodeWriter, kind: str, slot: int) -> None:
    """Push a long and an object, one of which is the value in the slot. `kind`: I J F D A."""
    if kind == "A":
        code.op(Op.LCONST_0)
        code.load("A", slot)
        return
    code.load(kind, slot)
    _to_long(code, kind)
    code.op(Op.ACONST_NULL)


def _to_long(code: CodeWriter, kind: str) -> None:
    if kind in _RAW_BITS:
        member = code.pool.member(ConstantTag.METHOD_REFERENCE, *_RAW_BITS[kind])
        code.op_index(Op.INVOKESTATIC, member)
    if kind in "IF":
        code.op(Op.I2L)


def push_arguments(code: CodeWriter, kinds: Sequence[str]) -> None:
    """Push two arrays: of objects, and of longs. `kinds`: those of the arguments, I J F D A."""
    placed: list[tuple[str, int]] = []
    slot = 0
    for kind in kinds:
        placed.append((kind, slot))
        slot += 2 if kind in "JD" else 1
    references = [slot for kind, slot in placed if kind == "A"]
    others = [each for each in placed if each[0] != "A"]
    code.push_int(len(references))
    code.op_index(Op.ANEWARRAY, code.pool.class_("java/lang/Object"))
    for number, slot in enumerate(references):
        code.op(Op.DUP)
        code.push_int(number)
        code.load("A", slot)
        code.op(Op.AASTORE)
    code.push_int(len(others))
    code.op(Op.NEWARRAY, _OF_LONGS)
    for number, (kind, slot) in enumerate(others):
        code.op(Op.DUP)
        code.push_int(number)
        code.load(kind, slot)
        _to_long(code, kind)
        code.op(Op.LASTORE)
