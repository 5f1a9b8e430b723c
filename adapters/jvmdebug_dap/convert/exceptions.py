# SPDX-License-Identifier: Apache-2.0
"""The exception of a stop in DAP's form: what was thrown, where, and its causes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug_dap.models.generated.bodies import ExceptionInfoBody
from jvmdebug_dap.models.generated.types import ExceptionDetails

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jvmdebug import Stop, Thrown

_SHOWN_FRAMES: Final = 200


def thrown_text(stop: Stop, thrown: Thrown) -> str:
    """What was thrown, and where it was if it was not here."""
    if stop.ends_thread:
        return f"{thrown} (has ended the thread; its stack trace says where it was thrown)"
    again = "" if stop.first_thrown_at is None else f" (rethrown, first at {stop.first_thrown_at})"
    return f"{thrown}{again}"


async def exception_info(
    stop: Stop, thrown: Thrown, submitted: str = "", *, shows_parts: bool = False
) -> ExceptionInfoBody:
    """`submitted`: what is shown below the trace. `shows_parts`: the client shows the id, the
    description and the trace below each other, so none repeats what is above it.
    """
    frames = () if stop.ends_thread else await stop.frames(0, _SHOWN_FRAMES)
    stack = [frame.location for frame in frames] or thrown.stack or ()
    name = None if stop.exception is None else stop.exception.evaluate_name
    described, found = thrown_text(stop, thrown), details(thrown, name, stack, ())
    if shows_parts:
        described = described.removeprefix(thrown.type_name).removeprefix(": ").strip()
        head = f"{thrown}\n"
        trace = (found.stack_trace or "").removeprefix(head)
        found = found.model_copy(update={"stack_trace": trace})
    if submitted:
        found = found.model_copy(update={"stack_trace": f"{found.stack_trace or ''}{submitted}"})
    return ExceptionInfoBody(
        exception_id=thrown.type_name,
        description=described or None,
        break_mode="always" if stop.exception_caught else "unhandled",
        details=found,
    )


def details(
    thrown: Thrown, evaluate_name: str | None, stack: Sequence[str], around: Sequence[str]
) -> ExceptionDetails:
    """The whole trace as Java prints it, and causes and suppressed exceptions one by one."""
    inner: list[ExceptionDetails] = []
    for inside, call in _inside(thrown):
        name = None if evaluate_name is None else f"{evaluate_name}.{call}"
        inner.append(details(inside, name, inside.stack or (), stack))
    lines = [str(thrown), *_trace(thrown, stack, around)]
    return ExceptionDetails(
        message=thrown.message,
        type_name=thrown.type_name.rpartition(".")[2],
        full_type_name=thrown.type_name,
        evaluate_name=evaluate_name,
        stack_trace="\n".join([*lines, ""]),
        inner_exception=inner or None,
    )


def _inside(thrown: Thrown) -> Iterator[tuple[Thrown, str]]:
    """The cause and the suppressed exceptions, each with the call that returns it."""
    if thrown.cause is not None:
        yield thrown.cause, "getCause()"
    for number, each in enumerate(thrown.suppressed):
        yield each, f"getSuppressed()[{number}]"


def _trace(
    thrown: Thrown, stack: Sequence[str], around: Sequence[str], indent: str = ""
) -> Iterator[str]:
    """The lines below the head; frames in common with the enclosing trace are only counted."""
    shared = 0
    while shared < min(len(stack), len(around)) and stack[-1 - shared] == around[-1 - shared]:
        shared += 1
    yield from (f"{indent}\tat {each}" for each in stack[: len(stack) - shared])
    if shared:
        yield f"{indent}\t... {shared} more"
    for each in thrown.suppressed:
        yield f"{indent}\tSuppressed: {each}"
        yield from _trace(each, each.stack or (), stack, f"{indent}\t")
    if thrown.cause is not None:
        yield f"{indent}Caused by: {thrown.cause}"
        yield from _trace(thrown.cause, thrown.cause.stack or (), stack, indent)
