# SPDX-License-Identifier: Apache-2.0
"""Breakpoints on a fake VM with classes, and a recorder of their events."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from jvmdebug.breakpoints import BreakpointSet, BreakpointTable, HitLimits
from jvmdebug.breakpoints.resolver import Resolver
from jvmdebug.events import Router
from tests.support.fake_classes import FakeClasses
from tests.support.fake_requests import EventRequests

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine, Sequence

    from jvmdebug.breakpoints import Breakpoint, BreakpointSpec
    from jvmdebug.breakpoints.location import Resolution
    from jvmdebug.breakpoints.log_drain import LogBatch, LogLines
    from jvmdebug.events import LocatedOccurrence, StopSet
    from jvmdebug.model import VirtualMachine
    from jvmdebug.model.location import Location
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.values import ObjectReference
    from jvmdebug.sources import LineSpec
    from tests.support.fake_vm import FakeVm


class Listener:
    """The part of a session that breakpoints use; records the changes reported to it."""

    def __init__(self) -> None:
        self.changed: list[Breakpoint] = []
        self.logged: list[str] = []
        self.sources: dict[str, str] = {}
        """Path → text."""
        self.stops: asyncio.Queue[StopSet] = asyncio.Queue()
        self.stops_all = True

    def breakpoint_asked(self, breakpoint_: Breakpoint, change: str) -> None:
        """Nobody else is in the session."""

    def breakpoint_changed(self, breakpoint_: Breakpoint) -> None:
        self.changed.append(breakpoint_)

    async def breakpoint_logged(
        self, breakpoint_: Breakpoint, occurrence: LocatedOccurrence, text: str
    ) -> None:
        del breakpoint_, occurrence
        self.logged.append(text)

    async def breakpoints_logged(
        self, batch: LogBatch, lines: Sequence[LogLines]
    ) -> Sequence[Coroutine[object, object, object]]:
        del batch
        self.logged += [each.text for each in lines]
        return []

    def tell_left_out(self, breakpoint_: Breakpoint | None = None) -> None:
        del breakpoint_

    def suspends_all(self, breakpoint_: Breakpoint) -> bool:
        return breakpoint_.suspend != "thread"

    async def source_text(self, spec: LineSpec) -> str | None:
        return self.sources.get(spec.path or "")

    async def stopped_at(self, location: Location) -> Sequence[Thread]:
        del location
        return ()

    def is_ours(self, exception: ObjectReference) -> bool:
        del exception
        return False

    def control_exceptions(self) -> Sequence[str]:
        return ()

    def stops_at_rethrows(self) -> bool:
        return False

    def uses_probes(self) -> bool:
        return False

    def hit_limits(self) -> HitLimits:
        return HitLimits(5.0, 1000)

    async def next_stop(self) -> StopSet:
        async with asyncio.timeout(5):
            return await self.stops.get()


@pytest.fixture
def classes(fake_vm: FakeVm) -> FakeClasses:
    return FakeClasses(fake_vm)


@pytest.fixture
def requests(fake_vm: FakeVm) -> EventRequests:
    return EventRequests(fake_vm)


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
async def router(
    vm: VirtualMachine, classes: FakeClasses, requests: EventRequests, listener: Listener
) -> AsyncIterator[Router]:
    del classes, requests
    made = Router(vm)
    made.set_stop_sink(listener.stops.put)
    made.start()
    yield made
    await made.close()


@pytest.fixture
def table(vm: VirtualMachine, router: Router, listener: Listener) -> BreakpointTable:
    return BreakpointTable(vm, router, listener)


@pytest.fixture
def breakpoints(table: BreakpointTable) -> BreakpointSet:
    return BreakpointSet(table)


async def resolved(
    vm: VirtualMachine, spec: BreakpointSpec, sources: dict[str, str] | None = None
) -> Resolution:
    """The locations of a spec in the classes that are loaded now."""

    async def read_source(asked: LineSpec) -> str | None:
        return (sources or {}).get(asked.path or "")

    resolver = Resolver(vm, spec, read_source)
    await resolver.add_loaded_types()
    return await resolver.resolve()


def shown(resolution: Resolution) -> list[str]:
    """`shop.Cart.add@4:6`: the method, the code index and the line of each location."""
    return sorted(
        f"{each.type_name}.{each.method_name}@{each.index}:{each.line}"
        for each in resolution.locations
    )
