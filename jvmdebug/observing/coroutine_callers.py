# SPDX-License-Identifier: Apache-2.0
"""The suspended functions of Kotlin that wait for the one which a thread runs.

A function that was resumed returns to Kotlin's own code: what has called it is not on the stack of
the thread, but kept by its continuation. Kotlin's compiler notes in an annotation of each class of
continuations where its function may be suspended. Called by `origins`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from jvmdebug.classfile import annotation_values
from jvmdebug.errors import ClassFileError, VmError
from jvmdebug.model.class_files import parsed_class_file
from jvmdebug.model.values import ObjectReference, PrimitiveValue
from jvmdebug.sources import RESUMED

if TYPE_CHECKING:
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.values import Value

_BASE: Final = "kotlin.coroutines.jvm.internal.BaseContinuationImpl"
_BASE_SIGNATURE: Final = f"L{_BASE.replace('.', '/')};"
_ANNOTATION: Final = "kotlin/coroutines/jvm/internal/DebugMetadata"
_MOST: Final = 200


class SuspendedFunction(NamedTuple):
    """A function that waits for another one."""

    class_name: str
    """`shop.Cart`"""
    method: str
    source_name: str | None
    """`Cart.kt`"""
    line: int | None


async def suspended_callers(thread: Thread) -> tuple[SuspendedFunction, ...]:
    """The functions that wait for the coroutine which the thread runs, the nearest first: at most
    200. Without any if it runs none, or none that was suspended. The thread is suspended.
    """
    vm = thread.vm
    if not await vm.classes_by_signature(_BASE_SIGNATURE):
        return ()
    try:
        resumed = await _resumed_in(thread)
        return () if resumed is None else tuple(await _waiting_for(resumed))
    except VmError:
        return ()  # the frames cannot be read


async def _resumed_in(thread: Thread) -> ObjectReference | None:
    """The continuation that the thread has resumed, by the nearest frame of Kotlin's own code."""
    frames = await thread.frames(0, min(await thread.frame_count(), _MOST))
    for frame, caller in pairwise(frames):
        is_resumed = frame.location.method.name == RESUMED
        if is_resumed and caller.location.type.name == _BASE:
            return await frame.this_object()
    return None


async def _waiting_for(continuation: ObjectReference) -> list[SuspendedFunction]:
    found: list[SuspendedFunction] = []
    value = await _field(continuation, "completion")
    for _ in range(_MOST):
        if not isinstance(value, ObjectReference):
            break
        type_ = await value.type()
        if await type_.is_subtype_of(_BASE):
            if function := await _suspended(value, type_):
                found.append(function)
            value = await _field(value, "completion")
        else:
            value = await _field(value, "uCont")  # of a scope, such as that of `withContext`
    return found


async def _suspended(
    continuation: ObjectReference, type_: ReferenceType
) -> SuspendedFunction | None:
    file = await parsed_class_file(type_)
    try:
        noted = None if file is None else annotation_values(file, file, _ANNOTATION)
    except ClassFileError:
        noted = None
    if not noted:
        return None
    class_name, method, source = noted.get("c"), noted.get("m"), noted.get("f")
    if not isinstance(class_name, str) or not isinstance(method, str):
        return None
    return SuspendedFunction(
        class_name,
        method,
        source if isinstance(source, str) else None,
        _line(noted.get("l"), await _field(continuation, "label")),
    )


def _line(lines: object, label: Value | None) -> int | None:
    """The line that a function waits at: `label` counts the places of its code from 1."""
    if not isinstance(lines, list) or not isinstance(label, PrimitiveValue):
        return None
    number = int(label.value)
    line = lines[number - 1] if 0 < number <= len(lines) else None
    return line if isinstance(line, int) and line > 0 else None


async def _field(of: ObjectReference, name: str) -> Value | None:
    for each in await (await of.type()).instance_fields():
        if each.name == name:
            (value,) = await of.get_values([each])
            return value
    return None
