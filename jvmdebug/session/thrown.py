# SPDX-License-Identifier: Apache-2.0
"""The exception of a stop, in the form of a stack trace.

Reads fields and runs no code, but for the stacks of causes: the VM keeps those in a form of its
own until `Throwable` is asked, so they are only fetched on demand.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug import display
from jvmdebug.display import layout
from jvmdebug.display.layout import UnknownLayoutError
from jvmdebug.errors import JvmDebugError
from jvmdebug.model.values import ArrayReference, ObjectReference, PrimitiveValue, StringReference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.model.thread import Thread
    from jvmdebug.model.values import Value

_MAX_CAUSES: Final = 20
_MAX_SUPPRESSED: Final = 20
_MAX_FRAMES: Final = 200
_STACK_TIMEOUT_S: Final = 2.0
_MESSAGE_TIMEOUT_S: Final = 1.0
_NULL_POINTER: Final = "java.lang.NullPointerException"
_ELEMENT_FIELDS: Final = ("declaringClass", "methodName", "fileName", "lineNumber")


@dataclass(frozen=True, slots=True)
class Thrown:
    """A Throwable: its class, its message, and its cause."""

    type_name: str
    message: str | None
    cause: Thrown | None = None
    suppressed: tuple[Thrown, ...] = ()
    stack: tuple[str, ...] | None = None
    """`shop.Cart.add(Cart.java:42)`, innermost first; None when it was not asked for or refused."""

    def __str__(self) -> str:
        """`java.lang.IllegalStateException: closed`"""
        return self.type_name if self.message is None else f"{self.type_name}: {self.message}"


async def read_thrown(
    exception: ObjectReference,
    thread: Thread | None = None,
    causes: int = _MAX_CAUSES,
    *,
    has_frames: bool = True,
) -> Thrown:
    """Message, causes (at most so many deep) and suppressed exceptions of a Throwable.

    With the `thread`, which an event has suspended, the stacks of causes and suppressed ones too,
    and its own unless it `has_frames`: a method of java.lang.Throwable runs on it for each.
    """
    return await _read(exception, thread, causes, is_outermost=has_frames)


async def complete_message(exception: ObjectReference, thread: Thread) -> None:
    """Have the VM write the message of a NullPointerException ("Cannot invoke … because …").

    It computes it when `getMessage` is called first and keeps it in the object, where it is read
    from then on. Code of the JDK runs, on the thread that has just thrown.
    """
    type_ = await exception.type()
    if type_.name != _NULL_POINTER:
        return
    with contextlib.suppress(JvmDebugError):  # the exception is shown without it
        if (await read_thrown(exception, causes=0)).message is not None:
            return
        for method in await type_.methods():
            if method.name == "getMessage":  # since Java 14
                await exception.invoke(
                    method, (), thread, non_virtual=True, timeout_s=_MESSAGE_TIMEOUT_S
                )


async def _read(
    exception: ObjectReference, thread: Thread | None, causes: int, *, is_outermost: bool = False
) -> Thrown:
    type_ = await exception.type()
    fields = {
        field.name: field
        for field in await type_.all_fields()
        if field.declaring_type.name in ("java.lang.Throwable", _NULL_POINTER)
    }
    names = ("detailMessage", "extendedMessage", "cause", "suppressedExceptions")
    wanted = [fields[name] for name in names if name in fields]
    values: dict[str, Value] = {}
    for field, value in zip(wanted, await exception.get_values(wanted), strict=True):
        values[field.name] = value
    message, cause = values.get("detailMessage"), values.get("cause")
    if not isinstance(message, StringReference):
        message = values.get("extendedMessage")
    stack = None if is_outermost or thread is None else await _stack(exception, thread)
    caused_by: Thrown | None = None
    # A Throwable whose cause was not set refers to itself.
    if isinstance(cause, ObjectReference) and cause != exception and causes > 0:
        caused_by = await _read(cause, thread, causes - 1)
    suppressed = [
        await _read(each, thread, 0)
        for each in (await _suppressed(values.get("suppressedExceptions")) if causes > 0 else ())
    ]
    return Thrown(
        type_.name,
        await message.as_text() if isinstance(message, StringReference) else None,
        caused_by,
        tuple(suppressed),
        stack,
    )


async def _suppressed(held: Value | None) -> Sequence[ObjectReference]:
    """`held` is a list, or null for an exception that takes none."""
    if not isinstance(held, ObjectReference) or not await display.is_indexed(held):
        return ()
    found = await display.children(held, 0, _MAX_SUPPRESSED)
    return [each.value for each in found if isinstance(each.value, ObjectReference)]


async def _stack(exception: ObjectReference, thread: Thread) -> tuple[str, ...] | None:
    """The result of `getStackTrace`, by the private method that no class can override."""
    for method in await (await exception.type()).all_methods():
        if method.name == "getOurStackTrace" and not method.argument_types:
            break
    else:
        return None
    try:
        found = await exception.invoke(
            method, (), thread, non_virtual=True, timeout_s=_STACK_TIMEOUT_S
        )
        if not isinstance(found, ArrayReference):
            return None
        elements = await found.get(0, min(await found.length(), _MAX_FRAMES))
        objects = [each for each in elements if isinstance(each, ObjectReference)]
        return tuple(await asyncio.gather(*map(_element, objects)))
    except (JvmDebugError, UnknownLayoutError):
        return None  # the thread cannot run code now; show the rest


async def _element(element: ObjectReference) -> str:
    """A java.lang.StackTraceElement as a stack trace prints it."""
    values = await layout.read(element, *_ELEMENT_FIELDS)
    texts = [await each.as_text() if isinstance(each, StringReference) else None for each in values]
    number = values[3]
    line = number.value if isinstance(number, PrimitiveValue) else -1
    if line == -2:
        where = "Native Method"
    elif texts[2] is None:
        where = "Unknown Source"
    else:
        where = texts[2] if isinstance(line, int) and line < 0 else f"{texts[2]}:{line}"
    return f"{texts[0]}.{texts[1]}({where})"
