# SPDX-License-Identifier: Apache-2.0
"""`together`: asyncio.gather for work that mostly need not wait. `in_parts`: long work in parts.

What is shown of a thousand elements is some ten thousand small pieces of work, and nearly all of
them find their answers in a cache: a task for each would take longer than the work. So each is run
at once as far as it goes, and only what has to wait becomes a task. No asyncio.timeout around
or in such work: it takes the task that it begins in for its own.
"""

from __future__ import annotations

import asyncio
import types
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Iterable, Sequence

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")


async def together(work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """The results in order. The first error is raised, and the rest of the work is given up."""
    every = list(work)
    results: list[T | None] = [None] * len(every)
    waiting: list[tuple[int, asyncio.Task[T]]] = []
    begun = 0
    try:
        for index, each in enumerate(every):
            begun += 1
            try:
                awaited = each.send(None)
            except StopIteration as done:
                results[index] = done.value
            else:
                waiting.append((index, asyncio.create_task(_finish(each, awaited))))
        if waiting:
            found = await asyncio.gather(*(task for _, task in waiting))
            for (index, _), result in zip(waiting, found, strict=True):
                results[index] = result
    except BaseException:
        for _, task in waiting:
            task.cancel()
        for each in every[begun:]:
            each.close()
        raise
    return cast("list[T]", results)


async def both(one: Coroutine[Any, Any, A], other: Coroutine[Any, Any, B]) -> tuple[A, B]:
    """The same for two of different kinds."""
    work: tuple[Coroutine[Any, Any, Any], ...] = (one, other)
    first, second = await together(work)
    return first, second


async def in_parts(items: Sequence[A], size: int = 2000) -> AsyncIterator[Sequence[A]]:
    """The items, so many at a time: what else waits, another session say, runs in between."""
    for first in range(0, len(items), size):
        yield items[first : first + size]
        await asyncio.sleep(0)


async def _finish(begun: Coroutine[Any, Any, T], awaited: object) -> T:
    return await _rest(begun, awaited)


@types.coroutine
def _rest(begun: Coroutine[Any, Any, T], awaited: object) -> Generator[object, Any, T]:
    """What is left of a coroutine that waits for `awaited`."""
    step: Callable[[Any], object]
    while True:
        try:
            sent = yield awaited
        except GeneratorExit:
            begun.close()
            raise
        except BaseException as error:  # noqa: BLE001 - handed on to where it belongs
            step = begun.throw
            sent = error
        else:
            step = begun.send
        try:
            awaited = step(sent)
        except StopIteration as done:
            return cast("T", done.value)
