# SPDX-License-Identifier: Apache-2.0
"""Contention of monitors in real VMs: a planted one is on top, a deadlock is blocked still."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from tests.e2e.script.conftest import Launch

TOPIC = "threads"


async def test_the_planted_contention_is_on_top(launch: Launch) -> None:
    wanted = debuggee(TOPIC, "Contended").marker("wanted")
    async with launch(TOPIC, "Contended") as session:
        contention = session.contention(longer_than_s=0.01, limit=8)
        events = await contention.collect()
        assert len(events) == contention.count == 8
        (top, *_) = contention.by_monitor
        assert "wanter" in top.threads
        assert "holder" in top.owners
        by_wanter = [each for each in events if each.thread == "wanter"]
        for each in by_wanter:
            assert each.is_over
            assert not each.is_wait
            assert 0.01 <= each.duration_s < 30
            assert each.at is not None
            assert each.at.method_name == "want"
            assert each.at.line in {wanted, wanted + 1}  # compiled code may be at the next line
            assert each.stack[-1].method_name in {"run", "runWith"}
        stacks = [each for each in contention.by_stack if "Contended.want" in each.text]
        assert sum(each.count for each in stacks) == len(by_wanter)


async def test_waits_are_told_when_asked_for(launch: Launch) -> None:
    waits = debuggee(TOPIC, "Contended").marker("waits")
    async with launch(TOPIC, "Contended") as session, session.contention(waits=True) as contention:
        async with asyncio.timeout(30):
            async for each in contention:
                if each.thread == "ringer":
                    break
        assert each.is_wait
        assert waits in [entry.line for entry in each.stack]


async def test_a_long_wait_stops_the_program(launch: Launch) -> None:
    async with (
        launch(TOPIC, "Deadlock") as session,
        session.contention(break_after_s=0.2) as contention,
    ):
        blocked = await contention.next(timeout_s=30)
        assert blocked is not None
        assert not blocked.is_over
        assert blocked.duration_s >= 0.2
        assert {blocked.thread, blocked.owner} == {"one", "two"}
        assert session.current_stops
        assert {each.thread for each in contention.blocked} == {"one", "two"}
        await session.resume()


async def test_without_stacks_no_thread_is_held(launch: Launch) -> None:
    async with launch(TOPIC, "Contended") as session:
        events = await session.contention(stack=0, limit=2).collect()
        assert [len(each.stack) for each in events] == [1, 1]


@pytest.mark.parametrize("frames", [0, 10])
async def test_a_thread_that_waits_outside_of_java_code(launch: Launch, frames: int) -> None:
    async with launch(TOPIC, "Ending") as session:
        contention = session.contention(stack=frames, limit=4)
        found = [each for each in await contention.collect() if each.thread == "ending"]
        assert [each.stack for each in found] == [()] * len(found) != []
        (place,) = (each for each in contention.by_stack if not each.stack)
        assert (place.text, place.count) == ("no Java code", len(found))


async def test_wrong_times_are_refused(launch: Launch) -> None:
    async with launch(TOPIC, "Contended") as session:
        with pytest.raises(jvmdebug.BreakpointError, match="must be greater than 0"):
            session.contention(break_after_s=0)
