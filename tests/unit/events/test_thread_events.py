# SPDX-License-Identifier: Apache-2.0
"""Starts and ends of threads that come faster than they are handled."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from jvmdebug.events import RESUME, Occurrence, Verdict
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from tests.support.fake_vm import ALL, NONE
from tests.unit.events.conftest import armed, hit, settled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.events import RequestHandle, Router, ThreadEvent
    from tests.support.fake_vm import FakeVm
    from tests.unit.events.conftest import Stops

FIRST = 1_000


def _event(request: RequestHandle, thread: int) -> dict[str, object]:
    return {"kind": int(request.kind), "request_id": request.request_id, "thread": thread}


class Told:
    """Handles thread events, one by one until the gate opens, and together."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.alone: list[int] = []
        self.together: list[tuple[EventKind, int]] = []

    async def one(self, occurrence: Occurrence) -> Verdict:
        self.alone.append(int(occurrence.thread.id))  # type: ignore[attr-defined]
        await self.gate.wait()
        return RESUME

    async def many(self, events: Sequence[ThreadEvent]) -> None:
        self.together += [(EventKind(each.KIND), int(each.thread)) for each in events]


@pytest.mark.parametrize("count", [10, 200])
async def test_a_stop_does_not_wait_for_many(
    fake_vm: FakeVm, router: Router, stops: Stops, count: int
) -> None:
    told = Told()
    start = await router.arm(EventKind.THREAD_START, (), SuspendPolicy.NONE, told.one)
    end = await router.arm(EventKind.THREAD_DEATH, (), SuspendPolicy.NONE, told.one)
    router.thread_events.set_sink(told.many)
    request = await armed(router)
    sent = []
    for number in range(FIRST, FIRST + count):
        for each in (start, end):
            await fake_vm.send_events(NONE, _event(each, number))
            sent.append((each.kind, number))
    await fake_vm.send_events(ALL, hit(request))
    await settled(router)
    told.gate.set()
    stopped = await stops.next()
    await router.resume(stopped)
    await fake_vm.wait_until(lambda: len(told.alone) + len(told.together) == len(sent))
    alone = len(told.alone)
    assert [number for _, number in sent[:alone]] == told.alone
    assert told.together == sent[alone:]
    assert alone <= 1 if count == 200 else not told.together, "few stay in the queue"
