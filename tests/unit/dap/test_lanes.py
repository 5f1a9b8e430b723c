# SPDX-License-Identifier: Apache-2.0
"""Tests which requests wait for which others."""

from __future__ import annotations

import asyncio

import pytest

from jvmdebug_dap.lanes import Lane, LaneQueue, Ticket

CHANGE, CALL, LOOK, ASK, URGENT = Lane


async def at_work(tickets: list[Ticket]) -> list[bool]:
    """Tells which of them would begin now."""
    working = []
    for ticket in tickets:
        entering = asyncio.create_task(ticket.__aenter__())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        working.append(entering.done())
        if not entering.done():
            # Leave the ticket where it is: only the task that looks at it goes.
            ticket.leave = lambda: None  # type: ignore[method-assign]
            entering.cancel()
            await asyncio.gather(entering, return_exceptions=True)
            del ticket.leave
    return working


@pytest.mark.parametrize(
    ("lanes", "working"),
    [
        ([LOOK, LOOK, LOOK], [True, True, True]),
        ([CHANGE, LOOK, LOOK], [True, False, False]),
        ([LOOK, CHANGE, LOOK], [True, False, False]),
        ([CHANGE, CHANGE], [True, False]),
        ([CHANGE, URGENT, LOOK], [True, True, False]),
        ([LOOK, CHANGE, URGENT], [True, False, True]),
        ([CALL, LOOK, ASK], [True, False, True]),
        ([CALL, CALL], [True, False]),
        ([LOOK, CALL, LOOK], [True, False, False]),
        ([ASK, CALL, CHANGE], [True, True, False]),
        ([CHANGE, ASK], [True, False]),
        ([URGENT, CHANGE], [True, True]),
    ],
)
async def test_which_requests_may_begin(lanes: list[Lane], working: list[bool]) -> None:
    queue = LaneQueue()
    assert await at_work([queue.take(lane) for lane in lanes]) == working


async def test_those_behind_go_on_when_one_leaves() -> None:
    queue = LaneQueue()
    first, second, third, fourth = (queue.take(lane) for lane in (LOOK, CHANGE, LOOK, LOOK))
    first.leave()
    assert await at_work([second, third]) == [True, False]
    second.leave()
    assert await at_work([third, fourth]) == [True, True]


async def test_a_cancelled_waiter_blocks_no_other() -> None:
    queue = LaneQueue()
    first, second, third = (queue.take(lane) for lane in (LOOK, CHANGE, LOOK))
    waiting = asyncio.create_task(second.__aenter__())
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert await at_work([third]) == [True]
    first.leave()


async def test_many_looks_begin_some_at_a_time_in_order_and_let_others_pass(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A client asks for the stacks of 5,000 threads at once."""
    tried: list[Ticket] = []
    may_go = LaneQueue._may_go

    def counted(queue: LaneQueue, ticket: Ticket) -> bool:
        tried.append(ticket)
        return may_go(queue, ticket)

    monkeypatch.setattr(LaneQueue, "_may_go", counted)
    queue, count = LaneQueue(), 2_000
    looks = [queue.take(LOOK) for _ in range(count)]
    asked, urgent, change = queue.take(ASK), queue.take(URGENT), queue.take(CHANGE)
    at_once = sum(await at_work(looks[:100]))
    assert 1 < at_once < 100
    assert await at_work([asked, urgent, change]) == [True, True, False]
    asked.leave()
    urgent.leave()
    looks[at_once].leave()  # it is cancelled while it waits
    for number, each in enumerate(looks[:at_once]):
        each.leave()
        behind = number + at_once + 1
        assert looks[behind]._turn.is_set()
        assert not looks[behind + 1]._turn.is_set()
    for each in looks:
        each.leave()
    assert await at_work([change]) == [True]
    assert len(tried) < 10 * count, "what waits is not gone through for each that leaves"
