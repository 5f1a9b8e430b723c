# SPDX-License-Identifier: Apache-2.0
"""Work that is done to its end, though whoever waits for it is cancelled: what takes something out
of a program must not stop half-way. Used by breakpoints, observations and sampling.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Coroutine

ResultT = TypeVar("ResultT")

_going_on: set[asyncio.Task[Any]] = set()
"""The loop keeps weak references only."""


def begun(work: Coroutine[Any, Any, ResultT], name: str) -> asyncio.Task[ResultT]:
    """A task that nobody need wait for; an error of it that nobody sees is no message."""
    task = asyncio.create_task(work, name=name)
    _going_on.add(task)
    task.add_done_callback(_ended)
    return task


async def done(task: asyncio.Task[ResultT]) -> ResultT:
    """Awaits the result. Who waits here may be cancelled, the task is not."""
    await asyncio.wait({task})
    return task.result()


async def all_of(*works: Awaitable[object]) -> None:
    """Do each of them, though others fail; then the first error."""
    for result in await asyncio.gather(*works, return_exceptions=True):
        if isinstance(result, BaseException):
            raise result


def _ended(task: asyncio.Task[Any]) -> None:
    _going_on.discard(task)
    if not task.cancelled():
        task.exception()
