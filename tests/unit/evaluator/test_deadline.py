# SPDX-License-Identifier: Apache-2.0
"""How long an evaluation may take, and what does not count."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from jvmdebug.evaluator.run.deadline import Deadline

SHORT_S = 0.02


async def test_no_limit() -> None:
    async with Deadline(None) as deadline:
        assert deadline.remaining_s() is None
        with deadline.stopped():
            assert deadline.remaining_s() is None


async def test_it_is_over() -> None:
    with pytest.raises(TimeoutError):
        async with Deadline(SHORT_S) as deadline:
            await asyncio.Event().wait()
    assert deadline.remaining_s() == 0.001


async def _stopped_for_longer(went_on: list[float]) -> None:
    async with Deadline(SHORT_S) as deadline:
        with deadline.stopped():
            left = deadline.remaining_s()
            with deadline.stopped(), contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.Event().wait(), 20 * SHORT_S)
            assert deadline.remaining_s() == left
        went_on.append(asyncio.get_running_loop().time())
        await asyncio.Event().wait()


async def test_what_has_a_limit_of_its_own_does_not_count() -> None:
    went_on: list[float] = []
    with pytest.raises(TimeoutError):
        await _stopped_for_longer(went_on)
    assert asyncio.get_running_loop().time() - went_on[0] >= SHORT_S


async def test_a_cancelled_evaluation_stays_cancelled() -> None:
    begun = asyncio.Event()

    async def evaluate() -> None:
        async with Deadline(5) as deadline:
            with deadline.stopped():
                begun.set()
                await asyncio.Event().wait()

    task = asyncio.create_task(evaluate())
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
