# SPDX-License-Identifier: Apache-2.0
"""Carries out a jump: reads the values that the variables keep, and has the agent move the thread.

The variables of the source are read as always. What the compiler keeps in slots of its own (the
iterator of a loop, a saved exception) JVM TI does not give where the method has a table of
variables. HotSpot's java.lang.LiveStackFrame does; it walks the stack of the thread itself, so the
thread runs it, as it runs methods for the evaluator.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

from jvmdebug import evaluator
from jvmdebug.classfile.verified_types import NULL
from jvmdebug.errors import JvmDebugError, UnsupportedError
from jvmdebug.jdwp.generated import agent as agent_set
from jvmdebug.jdwp.ids import ObjectId
from jvmdebug.model.primitives import PrimitiveValue
from jvmdebug.model.values import ArrayReference, ObjectReference
from jvmdebug.model.variable import LocalVariable

if TYPE_CHECKING:
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.values import Value
    from jvmdebug.session.jump_plans import JumpPlan, PlannedLocal

_BITS: Final = {"F": ">f", "D": ">d"}
_NO_SLOTS: Final = "cannot jump: this VM does not give the slots of a frame"
_PRIMITIVES: Final = frozenset("IJFD")
_WIDE: Final = frozenset("JD")
_READ_SLOTS: Final = (
    "java.util.stream.SpinedBuffer found = new java.util.stream.SpinedBuffer();"
    " java.lang.LiveStackFrame.getStackWalker().forEach(found);"
    " ((java.lang.LiveStackFrame) found.iterator().next()).getLocals()"
)
"""The values of all slots of the topmost frame; a primitive one as an object with a `value`."""


async def jump(plan: JumpPlan) -> None:
    """Move the thread. UnsupportedError with the reason if the VM does not; nothing has changed
    then.
    """
    frame = plan.frame
    thread, vm = frame.thread, frame.thread.vm
    values = await _values(plan)
    method = frame.location.method
    reply = await vm.request(
        agent_set.Jump(
            thread.id,
            method.declaring_type.id,
            method.id,
            plan.index,
            tuple(_wire(each, value) for each, value in zip(plan.locals, values, strict=True)),
        )
    )
    if reply.reason:
        raise UnsupportedError(f"cannot jump: {reply.reason}")
    thread.invalidate()


def _wire(local: PlannedLocal, value: Value | int | None) -> agent_set.Jump.Local:
    type_ = "" if local.type == NULL else local.type
    bits, object_id = 0, ObjectId(0)
    match value:
        case int():
            bits = value
        case PrimitiveValue():
            bits = _bits(local.type, value)
        case ObjectReference():
            object_id = value.id
        case _:
            pass
    return agent_set.Jump.Local(local.slot, type_, local.is_parameter, bits, object_id)


def _bits(type_: str, value: PrimitiveValue) -> int:
    number = value.value
    if type_ in _BITS:
        return int.from_bytes(struct.pack(_BITS[type_], number), signed=True)
    return int(number)


async def _values(plan: JumpPlan) -> list[Value | int | None]:
    """The value of each local of the plan; None for those that keep none."""
    frame = plan.frame
    slots = await _slots(frame) if any(each.is_hidden for each in plan.locals) else ()
    named = [each for each in plan.locals if each.variable is not None]
    read = await frame.values(
        [
            LocalVariable(
                name=each.variable.name,
                signature=each.variable.signature,
                generic=None,
                slot=each.slot,
                is_argument=False,
                is_inferred=False,
                start=each.variable.start,
            )
            for each in named
            if each.variable is not None
        ]
    )
    known = dict(zip((each.slot for each in named), read, strict=True))
    found: list[Value | int | None] = []
    for each in plan.locals:
        if each.is_hidden:
            found.append(await _of_slot(each, slots))
        else:
            found.append(known.get(each.slot))
    return found


async def _slots(frame: Frame) -> tuple[Value, ...]:
    try:
        array = await evaluator.evaluate(frame, _READ_SLOTS)
    except JvmDebugError as error:
        raise UnsupportedError(
            "cannot jump: the values that the compiler keeps for the loop or block around this "
            f"line cannot be read here ({error})"
        ) from error
    if not isinstance(array, ArrayReference):
        raise UnsupportedError(_NO_SLOTS)
    return await array.get()


async def _of_slot(local: PlannedLocal, slots: tuple[Value, ...]) -> Value | int:
    """The value of a slot, or its bits. HotSpot keeps a long or double in the second one."""
    if local.type not in _PRIMITIVES:
        return slots[local.slot]
    held = slots[local.slot + (local.type in _WIDE)]
    fields = (
        await (await held.type()).instance_fields() if isinstance(held, ObjectReference) else ()
    )
    if not isinstance(held, ObjectReference) or len(fields) != 1:
        raise UnsupportedError(_NO_SLOTS)
    (value,) = await held.get_values(fields)
    if not isinstance(value, PrimitiveValue):
        raise UnsupportedError(_NO_SLOTS)
    return _bits("J", value)
