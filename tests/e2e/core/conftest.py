# SPDX-License-Identifier: Apache-2.0
"""A real VM behind the model and the router alone, without the session above them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import pytest

from jvmdebug.events import (
    RESUME,
    Cause,
    ClassPrepareOccurrence,
    DisconnectOccurrence,
    Occurrence,
    RequestHandle,
    Router,
    StopFor,
    StopSet,
    Verdict,
    VmStartOccurrence,
)
from jvmdebug.jdwp import transport
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.jdwp.generated.events import ClassMatchModifier, LocationOnlyModifier
from jvmdebug.model import Frame, ReferenceType, Thread, Value, VirtualMachine
from tests.support.debuggees import debuggee
from tests.support.failures import noted_failures

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from tests.conftest import StartJvm
    from tests.support.debuggees import Debuggee
    from tests.support.process import Jvm

OccurrenceT = TypeVar("OccurrenceT", bound=Occurrence)
WAIT_S = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(Cause):
    """The cause of reactions of the tests."""

    occurrence: Occurrence | None = None


async def stop(occurrence: Occurrence) -> Verdict:
    return StopFor(Asked(occurrence=occurrence))


@dataclass
class Program:
    """A debuggee that is held at its start."""

    debuggee: Debuggee
    jvm: Jvm
    vm: VirtualMachine
    router: Router
    stops: asyncio.Queue[StopSet]
    start: StopSet
    ended: asyncio.Event

    async def prepared(self, name: str | None = None) -> ReferenceType:
        """Runs from the start until the class (by default the main class) is prepared, stopped."""
        name = name or self.debuggee.main_class
        request = await self.router.arm(
            EventKind.CLASS_PREPARE, (ClassMatchModifier(name),), SuspendPolicy.ALL, stop
        )
        await self.router.resume(self.start)
        self.start = await self.next()
        await request.clear()
        return only(self.start, ClassPrepareOccurrence).type

    async def break_at(
        self,
        declaring: ReferenceType,
        marker: str,
        reaction: Any = stop,
        policy: SuspendPolicy = SuspendPolicy.ALL,
    ) -> RequestHandle:
        """A breakpoint at the first copy of the marked line."""
        location, *_ = await declaring.locations_of_line(self.debuggee.marker(marker))
        return await self.router.arm(
            EventKind.BREAKPOINT, (LocationOnlyModifier(location.wire),), policy, reaction
        )

    async def run_to(self, marker: str) -> tuple[StopSet, Frame]:
        """Runs from the start to the first hit of the marked line of the main class."""
        request = await self.break_at(await self.prepared(), marker)
        await self.router.resume(self.start)
        stopped = await self.next()
        await request.clear()
        return stopped, await thread_of(stopped).frame(0)

    async def next(self) -> StopSet:
        """The next stop."""
        async with asyncio.timeout(WAIT_S):
            return await self.stops.get()

    async def finish(self, stopped: StopSet) -> None:
        """Resumes, and waits until the connection has ended."""
        await self.router.resume(stopped)
        async with asyncio.timeout(WAIT_S):
            await self.ended.wait()


class OpenProgram(Protocol):
    """Starts a debuggee and connects to it; it is held before its first instruction."""

    async def __call__(
        self, topic: str, main_class: str, *, args: Sequence[str] = (), debug_tables: Any = "all"
    ) -> Program: ...


@pytest.fixture
async def open_program(start_jvm: StartJvm) -> AsyncIterator[OpenProgram]:
    opened: list[Program] = []

    async def open_it(
        topic: str, main_class: str, *, args: Sequence[str] = (), debug_tables: Any = "all"
    ) -> Program:
        compiled = debuggee(topic, main_class, debug_tables=debug_tables)
        jvm = await start_jvm(compiled, args=args)
        connection = await transport.connect("127.0.0.1", await jvm.port(), timeout_s=WAIT_S)
        vm = VirtualMachine(connection)
        await vm.initialize()
        router = Router(vm)
        stops: asyncio.Queue[StopSet] = asyncio.Queue()
        ended = asyncio.Event()

        async def on_end(_: Occurrence) -> Verdict:
            ended.set()
            return RESUME

        router.set_stop_sink(stops.put)
        router.subscribe(VmStartOccurrence, stop)
        router.subscribe(DisconnectOccurrence, on_end)
        router.start()
        async with asyncio.timeout(WAIT_S):
            start = await stops.get()
        program = Program(compiled, jvm, vm, router, stops, start, ended)
        opened.append(program)
        return program

    with noted_failures() as failures:
        yield open_it
        for program in opened:
            await program.vm.close()
            await program.router.close()
    assert failures.seen == []


def thread_of(stopped: StopSet) -> Thread:
    """The thread of a stop that has one."""
    assert stopped.thread is not None
    return stopped.thread


async def locals_of(frame: Frame) -> dict[str, Value]:
    """The variables in scope, by name."""
    variables = await frame.variables()
    values = await frame.values(variables)
    return {each.name: value for each, value in zip(variables, values, strict=True)}


def only(stopped: StopSet, kind: type[OccurrenceT]) -> OccurrenceT:
    """The one occurrence that stopped."""
    (cause,) = stopped.causes
    assert isinstance(cause, Asked)
    assert isinstance(cause.occurrence, kind)
    return cause.occurrence
