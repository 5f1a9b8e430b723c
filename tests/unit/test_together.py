# SPDX-License-Identifier: Apache-2.0
"""`together`: results in order, no task for what need not wait, errors and cancelling."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from jvmdebug.together import both, in_parts, together

if TYPE_CHECKING:
    from collections.abc import Coroutine


async def at_once(value: int) -> int:
    return value


async def later(value: int) -> int:
    await asyncio.sleep(0)
    return value


async def failing() -> int:
    raise LookupError("it fails")


async def test_results_in_order_whoever_has_to_wait() -> None:
    assert await together([later(1), at_once(2), later(3)]) == [1, 2, 3]
    assert await together([]) == []
    assert await both(at_once(1), later(2)) == (1, 2)


async def test_no_task_for_what_need_not_wait() -> None:
    before = asyncio.all_tasks()
    seen: set[asyncio.Task[object]] = set()

    async def look() -> None:
        seen.update(asyncio.all_tasks())

    await together([look(), look()])
    assert seen == before


async def test_work_that_waits_goes_on_side_by_side() -> None:
    ready = asyncio.Event()

    async def first() -> str:
        await ready.wait()
        return "first"

    async def second() -> str:
        ready.set()
        return "second"

    assert await together([first(), second()]) == ["first", "second"]


@pytest.mark.parametrize("before", [at_once, later])
async def test_an_error_gives_up_the_rest(before: object) -> None:
    ended: list[str] = []

    async def waiting() -> int:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("waiting")
        return 0

    made = later(1) if before is later else at_once(1)
    with pytest.raises(LookupError, match="it fails"):
        await together([waiting(), made, failing(), at_once(2)])
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert ended == ["waiting"]


async def test_cancelling_reaches_what_waits() -> None:
    ended: list[str] = []

    async def waiting(name: str) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            ended.append(name)
            raise

    task = asyncio.create_task(_all([waiting("a"), waiting("b")]))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert sorted(ended) == ["a", "b"]


async def _all(work: list[Coroutine[None, None, None]]) -> None:
    await together(work)


async def test_what_waits_runs_between_the_parts_of_a_long_work() -> None:
    seen: list[str] = []

    async def other() -> None:
        for number in range(2):
            seen.append(f"other {number}")
            await asyncio.sleep(0)

    running = asyncio.create_task(other())
    async for some in in_parts([1, 2, 3, 4, 5], 2):
        seen.append(f"part {some}")  # noqa: PERF401 - what is seen is in which order
    await running
    assert seen == ["part [1, 2]", "other 0", "part [3, 4]", "other 1", "part [5]"]
