# SPDX-License-Identifier: Apache-2.0
"""A router on a fake VM, and helpers for the tests of events."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from jvmdebug.events import (
    RESUME,
    Cause,
    Occurrence,
    RequestHandle,
    Router,
    StopFor,
    StopSet,
    Verdict,
)
from jvmdebug.jdwp.generated import virtual_machine
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.jdwp.ids import ObjectId, ThreadId
from tests.support.failures import noted_failures
from tests.support.fake_vm import (
    ALL,
    MAIN_THREAD,
    FakeType,
    FakeVm,
    location,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from jvmdebug.model import Thread, VirtualMachine
    from tests.support.failures import Failures

CART, ADD = 10, 100
OTHER_THREAD = 2


class Stops:
    """A stop sink that remembers."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[StopSet] = asyncio.Queue()

    async def __call__(self, stop: StopSet) -> None:
        await self.queue.put(stop)

    async def next(self) -> StopSet:
        async with asyncio.timeout(5):
            return await self.queue.get()


@pytest.fixture
def stops() -> Stops:
    return Stops()


@pytest.fixture
def failures() -> Iterator[Failures]:
    with noted_failures() as failures:
        yield failures


@pytest.fixture
async def router(fake_vm: FakeVm, vm: VirtualMachine, stops: Stops) -> AsyncIterator[Router]:
    fake_vm.types[CART] = FakeType("Lshop/Cart;", {ADD: ("add", "(I)V", 1)})
    fake_vm.threads[OTHER_THREAD] = 0
    made = Router(vm)
    made.set_stop_sink(stops)
    made.start()
    await fake_vm.wait_for("EventRequest.Set")  # its own, for unloaded classes
    yield made
    await made.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(Cause):
    """The cause of reactions of the tests."""

    name: str = ""


async def stop(_: Occurrence) -> Verdict:
    return StopFor(Asked())


async def run_on(_: Occurrence) -> Verdict:
    return RESUME


async def armed(router: Router, reaction: Any = stop, policy: int = ALL) -> RequestHandle:
    return await router.arm(EventKind.BREAKPOINT, (), SuspendPolicy(policy), reaction)


def hit(request: RequestHandle, thread: int = MAIN_THREAD, index: int = 0) -> dict[str, object]:
    return {
        "kind": int(request.kind),
        "request_id": request.request_id,
        "thread": thread,
        "location": location(CART, ADD, index),
    }


async def settled(router: Router) -> None:
    """All that was sent has arrived and its handling had many turns of the loop."""
    for _ in range(10):
        await router.vm.request(virtual_machine.ReleaseEvents())


def prepare_event(request: RequestHandle, thread_id: int) -> dict[str, object]:
    return {
        "kind": 8,
        "request_id": request.request_id,
        "thread": thread_id,
        "type_tag": 1,
        "type_id": 11,
        "signature": "Lshop/Item;",
        "status": 3,
    }


def thread(router: Router, thread_id: int) -> Thread:
    return router.vm.thread(ThreadId(ObjectId(thread_id)))
