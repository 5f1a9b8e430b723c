# SPDX-License-Identifier: Apache-2.0
"""The exception of a stop as DAP shows it: name, message and the stack where it was thrown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug_dap.models.generated.bodies import ExceptionInfoBody
from jvmdebug_dap.models.generated.types import ExceptionDetails

if TYPE_CHECKING:
    from jvmdebug import Stop, Variable

_SHOWN_FRAMES: Final = 200


async def message_of(exception: Variable) -> str | None:
    """`Throwable.detailMessage`, read without running code; None if it is null or not there."""
    for field in await exception.children(raw=True):
        if field.name.rpartition(".")[2] == "detailMessage":
            if await field.text() == "null":
                return None
            return await field.full_text()
    return None


async def one_line(exception: Variable) -> str:
    """`java.lang.IllegalStateException: no such item`."""
    name, message = await exception.type_name(), await message_of(exception)
    return name if message is None else f"{name}: {message}"


async def exception_info(stop: Stop, exception: Variable) -> ExceptionInfoBody:
    name = await exception.type_name()
    message = await message_of(exception)
    frames = await stop.frames(0, _SHOWN_FRAMES)
    stack = "".join(f"\tat {frame.location}\n" for frame in frames)
    head = name if message is None else f"{name}: {message}"
    return ExceptionInfoBody(
        exception_id=name,
        description=head,
        break_mode="always" if stop.exception_caught else "unhandled",
        details=ExceptionDetails(
            message=message,
            type_name=name.rpartition(".")[2],
            full_type_name=name,
            evaluate_name=exception.evaluate_name,
            stack_trace=f"{head}\n{stack}",
        ),
    )
