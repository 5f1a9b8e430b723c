# SPDX-License-Identifier: Apache-2.0
"""One line for coroutines that wait, and for values of Kotlin's library that its fields hide.

A suspend function that waits is an object: its class is named after the function, `label` is the
place where it goes on, `result` of a SafeContinuation says whether it has been resumed already.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout
from jvmdebug.model.values import ObjectReference

if TYPE_CHECKING:
    from jvmdebug.display.line import Line, TextOf
    from jvmdebug.model.values import Value

_FUNCTION: Final = re.compile(r"(?:.*\.)?(?:\w*Kt\$)?(?P<name>.+?)\$\d+")
_RUNNING: Final = 1 << 31
_STATES: Final = ("COROUTINE_SUSPENDED", "UNDECIDED", "RESUMED")


async def _state(reference: ObjectReference, line: Line) -> str:
    """`Continuation[work, waits at suspension point 1]`"""
    type_ = await reference.type()
    fields = {each.name for each in await type_.fields()}
    if "label" not in fields:
        raise layout.UnknownLayoutError("a continuation without states")
    label = layout.integer(await layout.read_nearest(reference, "label"))
    found = _FUNCTION.fullmatch(type_.name)
    name = line.style.class_name(type_.name) if found is None else found["name"].replace("$", ".")
    if line.is_brief:
        return f"Continuation[{name}]"
    if label & _RUNNING:
        state = "runs"
    elif label == 0:
        state = "has not begun"
    else:
        state = f"waits at suspension point {label}"
    return f"Continuation[{name}, {state}]"


async def _safe(reference: ObjectReference, line: Line) -> str:
    """`SafeContinuation[not resumed, Continuation[work]]`"""
    result, delegate = await layout.read(reference, "result", "delegate")
    state = "resumed" if await _is_resumed(result) else "not resumed"
    return f"SafeContinuation[{state}, {await line.part(delegate, line.room)}]"


async def _is_resumed(result: Value) -> bool:
    """The field has a state until it has the result."""
    if not isinstance(result, ObjectReference):
        return True
    type_ = await result.type()
    if not type_.name.endswith("CoroutineSingletons"):
        return True
    return await layout.read_text(result, "name", of="java.lang.Enum") == _STATES[2]


async def _pair(reference: ObjectReference, line: Line) -> str:
    """`("a", 1)`, as Kotlin writes pairs and triples"""
    type_ = await reference.type()
    names = [each.name for each in await type_.instance_fields()]
    values = await layout.read(reference, *names)
    parts = [await line.part(each, line.room) for each in values]
    return f"({', '.join(parts)})"


async def _progression(reference: ObjectReference, _line: Line) -> str:
    """`1..5`, `1..9 step 2`"""
    first, last, step = await layout.read(reference, "first", "last", "step")
    by = layout.integer(step)
    text = f"{first}{'..' if by > 0 else ' downTo '}{last}"
    return text if abs(by) == 1 else f"{text} step {abs(by)}"


async def _lazy(reference: ObjectReference, line: Line) -> str:
    """`Lazy[not computed]`, `Lazy[value]`"""
    (value,) = await layout.read(reference, "_value")
    if isinstance(value, ObjectReference):
        name = (await value.type()).name
        if name == "kotlin.UNINITIALIZED_VALUE":
            return "Lazy[not computed]"
    return f"Lazy[{await line.part(value, line.room)}]"


KOTLIN_TEXTS: Final[dict[str, TextOf]] = {
    "kotlin.coroutines.jvm.internal.BaseContinuationImpl": _state,
    "kotlin.coroutines.SafeContinuation": _safe,
    "kotlin.Pair": _pair,
    "kotlin.Triple": _pair,
    "kotlin.ranges.IntProgression": _progression,
    "kotlin.ranges.LongProgression": _progression,
    "kotlin.SynchronizedLazyImpl": _lazy,
    "kotlin.SafePublicationLazyImpl": _lazy,
    "kotlin.UnsafeLazyImpl": _lazy,
}
