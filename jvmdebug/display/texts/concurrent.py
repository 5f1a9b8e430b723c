# SPDX-License-Identifier: Apache-2.0
"""One line for futures and atomic references."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout
from jvmdebug.model.values import NULL, ObjectReference
from jvmdebug.together import together

if TYPE_CHECKING:
    from jvmdebug.display.line import Line, TextOf
    from jvmdebug.model.values import Value

_PENDING: Final = "pending"
_CANCELLED: Final = "cancelled"
_RUN, _FAILED, _GIVEN_UP = 2, 3, 4
"""FutureTask.state: before the first it is pending, from the last on it is cancelled."""


async def _completable(reference: ObjectReference, line: Line) -> str:
    """`CompletableFuture[done: "text"]`: the outcome is in `result`, wrapped if it is an exception
    or null.
    """
    (result,) = await layout.read(reference, "result")
    if not isinstance(result, ObjectReference):
        return await _future(reference, line, _PENDING)
    if not (await result.type()).name.endswith("CompletableFuture$AltResult"):
        return await _future(reference, line, "done", result)
    (exception,) = await layout.read(result, "ex")
    return await _ended(reference, line, exception)


async def _task(reference: ObjectReference, line: Line) -> str:
    state, outcome = await layout.read(reference, "state", "outcome")
    number = layout.integer(state)
    if number == _RUN:
        return await _future(reference, line, "done", outcome)
    if number == _FAILED:
        return await _ended(reference, line, outcome)
    return await _future(reference, line, _CANCELLED if number >= _GIVEN_UP else _PENDING)


async def _ended(reference: ObjectReference, line: Line, exception: Value) -> str:
    if not isinstance(exception, ObjectReference):
        return await _future(reference, line, "done", NULL)
    if (await exception.type()).name == "java.util.concurrent.CancellationException":
        return await _future(reference, line, _CANCELLED)
    return await _future(reference, line, "failed", exception)


async def _future(
    reference: ObjectReference, line: Line, state: str, outcome: Value | None = None
) -> str:
    name = line.style.class_name((await reference.type()).name)
    if outcome is None:
        return f"{name}[{state}]"
    return f"{name}[{state}: {await line.part(outcome, line.room)}]"


async def _pair(reference: ObjectReference, line: Line) -> str:
    """`AtomicStampedReference["text", 3]`"""
    pair = await layout.read_object(reference, "pair")
    if pair is None:
        raise layout.UnknownLayoutError("a reference without its pair")
    name = line.style.class_name((await reference.type()).name)
    mark = "stamp" if "Stamped" in name else "mark"
    both = await layout.read(pair, "reference", mark)
    texts = await together(line.part(each) for each in both)
    return f"{name}[{', '.join(texts)}]"


CONCURRENT_TEXTS: Final[dict[str, TextOf]] = {
    "java.util.concurrent.CompletableFuture": _completable,
    "java.util.concurrent.FutureTask": _task,
    "java.util.concurrent.atomic.AtomicMarkableReference": _pair,
    "java.util.concurrent.atomic.AtomicStampedReference": _pair,
}
