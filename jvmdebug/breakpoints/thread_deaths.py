# SPDX-License-Identifier: Apache-2.0
"""Threads that an exception ends: the VM calls a method of java.lang.Thread on each, and that calls
one of the thread's group, unless the thread has a handler of its own.

By then the frames of the thread are gone. It is for exceptions whose throw no event has reported:
those that the JDK catches in a virtual thread, and what the fast mode misses, a stack overflow
say. Owns one event request, while a breakpoint waits for uncaught exceptions. Where the VM reports
no breakpoints it has a probe, in the method of the group: to change Thread would take the lines of
`Thread.run` from all stack traces. Called by `arming`.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final

from jvmdebug.breakpoints.causes import ThreadDeath
from jvmdebug.breakpoints.rethrows import Rethrows
from jvmdebug.breakpoints.specs import ExceptionSpec
from jvmdebug.errors import JvmDebugError, UnsupportedError, VmError
from jvmdebug.events import RESUME, ExceptionOccurrence
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.jdwp.generated.events import ExceptionOnlyModifier, LocationOnlyModifier
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.values import ObjectReference
from jvmdebug.probes import Probe, ProbeQuestion

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Mapping

    from jvmdebug.breakpoints.armed import Armed
    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.events import LocatedOccurrence, RequestHandle, Router, Verdict
    from jvmdebug.model.location import Location
    from jvmdebug.model.virtual_machine import VirtualMachine

_OF_THREAD: Final = (
    "Ljava/lang/Thread;",
    "dispatchUncaughtException",
    "(Ljava/lang/Throwable;)V",
)
_OF_GROUP: Final = (
    "Ljava/lang/ThreadGroup;",
    "uncaughtException",
    "(Ljava/lang/Thread;Ljava/lang/Throwable;)V",
)


class ThreadDeaths:
    """What is called on threads that an exception ends, as long as somebody waits for it."""

    def __init__(
        self,
        vm: VirtualMachine,
        router: Router,
        on_death: Callable[[ThreadDeath], Awaitable[Verdict]],
    ) -> None:
        self._vm = vm
        self._router = router
        self._on_death = on_death
        self._waiting: set[object] = set()
        self._told = Rethrows()
        self._request: RequestHandle | None = None
        self._lock = asyncio.Lock()

    async def wait_for(self, waiter: object, *, wanted: bool) -> None:
        """Whether `waiter` wants them from now on."""
        if wanted == (waiter in self._waiting):
            return
        (self._waiting.add if wanted else self._waiting.discard)(waiter)
        async with self._lock:
            if self._waiting and self._request is None:
                with contextlib.suppress(VmError, UnsupportedError):  # throws are reported anyway
                    self._request = await self._arm()
            elif not self._waiting:
                await self.disarm()

    def has_stopped_for(self, occurrence: LocatedOccurrence) -> None:
        """An uncaught exception that a thread was stopped for does not stop it again when it ends,
        whatever breakpoints there are by then.
        """
        if isinstance(occurrence, ExceptionOccurrence) and occurrence.catch_location is None:
            self._told.note(occurrence)

    async def disarm(self) -> None:
        """No thread stops any more."""
        request, self._request = self._request, None
        if request is not None:
            await request.clear()

    async def _arm(self) -> RequestHandle | None:
        has_events = self._vm.agent_can(AgentCapability.BREAKPOINT_EVENTS)
        signature, *called = _OF_THREAD if has_events else _OF_GROUP
        for type_ in await self._vm.classes_by_signature(signature):
            for method in await type_.methods():
                if [method.name, method.signature] == called:
                    return await self._arm_at(method.location(0), has_events=has_events)
        return None  # not HotSpot

    async def _arm_at(self, location: Location, *, has_events: bool) -> RequestHandle | None:
        modifier = LocationOnlyModifier(location.wire)
        policy = SuspendPolicy.EVENT_THREAD
        request = await self._router.arm(EventKind.BREAKPOINT, (modifier,), policy, self._called)
        if has_events:
            return request
        # The thread stays in the check.
        probe = Probe(self._vm, request.request_id, location, lambda _: None)
        if await probe.ask(ProbeQuestion()) is not None:
            await request.clear()
            return None
        return request

    async def _called(self, occurrence: LocatedOccurrence) -> Verdict:
        frame, *callers = await occurrence.thread.frames(0, 2)
        if any(each.location.method is frame.location.method for each in callers):
            return RESUME  # a group has called the one that it is in
        arguments = [each for each in await frame.variables() if each.is_argument]
        try:
            exception = (await frame.values(arguments))[-1]
        except (JvmDebugError, IndexError):
            return RESUME
        if not isinstance(exception, ObjectReference):
            return RESUME
        death = ThreadDeath(
            request_id=occurrence.request_id,
            suspend_policy=occurrence.suspend_policy,
            thread=occurrence.thread,
            location=occurrence.location,
            exception=exception,
            catch_location=None,
        )
        return RESUME if await self._told.has_told(death) else await self._on_death(death)


async def at_death(
    every: Mapping[Breakpoint, Armed],
    hit: Callable[[Breakpoint, ThreadDeath, None], Awaitable[Verdict]],
    death: ThreadDeath,
) -> Verdict:
    """The first breakpoint decides that waits for such exceptions and has not seen this one."""
    from jvmdebug.breakpoints.hit import is_meant  # noqa: PLC0415 - slow to import

    for breakpoint_, armed in list(every.items()):
        spec = breakpoint_.spec
        if (
            isinstance(spec, ExceptionSpec)
            and spec.uncaught
            and not await armed.rethrows.has_told(death)
            and await is_meant(breakpoint_, (), death)
            and await _is_about(tuple(armed.locations.values()), death.exception)
            and (verdict := await hit(breakpoint_, death, None)) is not RESUME
        ):
            return verdict
    return RESUME


async def _is_about(locations: Collection[BreakpointLocation], exception: ObjectReference) -> bool:
    """Whether one of these locations of an exception breakpoint is a type of the exception."""
    type_ = await exception.type()
    types = {type_.id, *(each.id for each in await type_.superclasses())}
    return any(
        isinstance(modifier, ExceptionOnlyModifier) and modifier.exception_type in types
        for location in locations
        for modifier in location.modifiers
    )
