# SPDX-License-Identifier: Apache-2.0
"""Notices threads that an exception ends. The VM then calls a method of java.lang.Thread, which
calls one of the thread's group, unless the thread has a handler of its own.

By then the frames of the thread are gone. This is for exceptions whose throw no event has reported:
those that the JDK catches in a virtual thread, and those that the fast mode misses, such as a stack
overflow. Owns one event request, while a breakpoint waits for uncaught exceptions. Called by
`breakpoint_table`.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from jvmdebug.breakpoints.causes import ThreadDeath
from jvmdebug.breakpoints.rethrows import Rethrows
from jvmdebug.breakpoints.specs import ExceptionSpec
from jvmdebug.errors import JvmDebugError, UnsupportedError, VmError
from jvmdebug.events import RESUME, ExceptionOccurrence
from jvmdebug.jdwp.generated.events import ExceptionOnlyModifier
from jvmdebug.model.values import ObjectReference

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection

    from jvmdebug.breakpoints.armed_breakpoint import ArmedBreakpoint
    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.breakpoints.location_checker import LocationChecker
    from jvmdebug.events import LocatedOccurrence, RequestHandle, Verdict
    from jvmdebug.model.location import Location
    from jvmdebug.model.virtual_machine import VirtualMachine


class ThreadDeaths:
    """The request for threads that an exception ends, armed as long as some breakpoint waits for
    one.
    """

    def __init__(
        self,
        vm: VirtualMachine,
        checker: LocationChecker,
        on_death: Callable[[ThreadDeath], Awaitable[Verdict]],
    ) -> None:
        self._vm = vm
        self._checker = checker
        self._on_death = on_death
        self._waiting: set[object] = set()
        self._told = Rethrows()
        self._request: RequestHandle | None = None
        self._lock = asyncio.Lock()

    async def wait_for(self, waiter: object, *, wanted: bool) -> None:
        """Set whether `waiter` waits for such threads from now on."""
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
        """Note that a thread was stopped for an uncaught exception. It is not stopped for it again
        when it ends, even if other breakpoints were set meanwhile.
        """
        if isinstance(occurrence, ExceptionOccurrence) and occurrence.catch_location is None:
            self._told.note(occurrence)

    async def disarm(self) -> None:
        """Clear the request, so that no thread stops any more."""
        request, self._request = self._request, None
        if request is not None:
            await request.clear()

    async def _arm(self) -> RequestHandle | None:
        signature, *called = self._checker.end_of_thread
        for type_ in await self._vm.classes_by_signature(signature):
            for method in await type_.methods():
                if [method.name, method.signature] == called:
                    return await self._arm_at(method.location(0))
        return None  # not HotSpot

    async def _arm_at(self, location: Location) -> RequestHandle | None:
        request, why_not = await self._checker.arm_own(location, self._called)
        if why_not is None:
            return request
        await request.clear()
        return None

    async def _called(self, occurrence: LocatedOccurrence) -> Verdict:
        frame, *callers = await occurrence.thread.frames(0, 2)
        if any(each.location.method is frame.location.method for each in callers):
            return RESUME  # one group calls the one that it is in
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
    every: Collection[ArmedBreakpoint],
    hit: Callable[[Breakpoint, ThreadDeath], Awaitable[Verdict]],
    death: ThreadDeath,
) -> Verdict:
    """Have the first breakpoint decide that waits for such exceptions and has not seen this one."""
    from jvmdebug.breakpoints.hit import is_meant  # noqa: PLC0415 - slow to import

    for armed in list(every):
        breakpoint_, spec = armed.breakpoint, armed.breakpoint.spec
        if (
            isinstance(spec, ExceptionSpec)
            and spec.uncaught
            and not await armed.rethrows.has_told(death)
            and await is_meant(breakpoint_, (), death)
            and await _is_about(armed.shown(), death.exception)
            and (verdict := await hit(breakpoint_, death)) is not RESUME
        ):
            return verdict
    return RESUME


async def _is_about(locations: Collection[BreakpointLocation], exception: ObjectReference) -> bool:
    """Whether one of these locations of an exception breakpoint is for a type of the exception."""
    type_ = await exception.type()
    types = {type_.id, *(each.id for each in await type_.superclasses())}
    return any(
        isinstance(modifier, ExceptionOnlyModifier) and modifier.exception_type in types
        for location in locations
        for modifier in location.modifiers
    )
