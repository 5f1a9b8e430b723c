# SPDX-License-Identifier: Apache-2.0
"""The variables of a frame: its locals, those that a local class has captured, and what is around.

Called by FrameHandle.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from jvmdebug import display
from jvmdebug.model.values import ObjectReference
from jvmdebug.session.variable import Variable, VariableKind
from jvmdebug.sources import source_variables
from jvmdebug.together import both, together

if TYPE_CHECKING:
    from jvmdebug.session.frame_handle import FrameHandle

_NAME: Final = re.compile(r"[\w$]+(@\w+)?")
"""What an expression can say; `it (in map)` is only shown."""


async def variables_of(handle: FrameHandle, *, with_this: bool = False) -> list[Variable]:
    """Arguments and locals in scope, in slot order, their values in one round trip; `with_this`:
    the frame has its `this` after the same one.
    """
    async with handle.thread.lock:
        frame = await handle.frame()
        variables = sorted(await source_variables(frame), key=lambda each: each.slot)
        if with_this:
            values, _ = await both(frame.values(variables), frame.this_object())
        else:
            values = await frame.values(variables)
    opened = await together(
        display.opened(each.type_name, value) for each, value in zip(variables, values, strict=True)
    )
    return [
        Variable(
            handle,
            each.name,
            value,
            type_name,
            each.name if _NAME.fullmatch(each.name) else None,
            kind=VariableKind.ARGUMENT if each.is_argument else VariableKind.LOCAL,
        )
        for each, (type_name, value) in zip(variables, opened, strict=True)
    ]


async def objects_around(receiver: Variable) -> list[Variable]:
    """`this`; in a closure of Groovy the object around it, and what else its names may be of."""
    value, handle = receiver.value, receiver.frame
    around = await display.objects_around_closure(value, handle.type_name)
    if around is None:
        return [receiver]
    return [
        Variable(
            handle,
            name,
            each,
            (await each.type()).name if isinstance(each, ObjectReference) else "java.lang.Object",
            name,
            kind=VariableKind.THIS if name == "this" else VariableKind.CAPTURED,
        )
        for name, each in around.items()
    ]


async def captured_by(handle: FrameHandle, this: Variable, taken: set[str]) -> list[Variable]:
    """Variables of the method around an anonymous or local class, under their own names."""
    fields = await handle.declaring_type.fields()
    if not any(each.is_captured for each in fields):
        return []
    found = [each for each in await this.children() if each.is_captured and each.name not in taken]
    opened = await together(display.opened(each.declared_type, each.value) for each in found)
    return [
        Variable(handle, each.name, value, type_name, each.name, kind=VariableKind.CAPTURED)
        for each, (type_name, value) in zip(found, opened, strict=True)
    ]
